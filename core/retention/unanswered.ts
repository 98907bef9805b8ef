import { type RawBuilder, sql } from "kysely";
import { CONFIRMATION } from "#core/messages/recipients.ts";

/**
 * People for whom the SMTP server accepted a confirmation mail, the last one more than `days` before `asOf`, and who
 * haven't confirmed. Never anyone who got no mail, whose server rejected it, or who is due another one.
 */
export function isUnanswered(days: number, asOf: Date): RawBuilder<boolean> {
  return sql<boolean>`(
    confirmed_at is null and rejected_at is null and not mail_due
    and exists (
      select from deliveries
      where message_id = ${CONFIRMATION} and sign_up_id = sign_ups.id and state not in ('pending', 'rejected')
        and sent_at < ${asOf}::timestamptz - make_interval(days => ${days}::integer)
    )
  )`;
}
