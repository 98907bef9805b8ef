import { type RawBuilder, sql } from "kysely";

/**
 * People whose last confirmation mail was sent more than `days` before `asOf`, and who haven't confirmed. Never anyone
 * who got no mail, whose server rejected it, or who is due another one. last_mail_at is when a worker took the mail to
 * send it, which is the nearest we store to its acceptance.
 */
export function isUnanswered(days: number, asOf: Date): RawBuilder<boolean> {
  return sql<boolean>`(
    confirmed_at is null and rejected_at is null and not mail_due
    and mails > 0 and last_mail_at < ${asOf}::timestamptz - make_interval(days => ${days}::integer)
  )`;
}
