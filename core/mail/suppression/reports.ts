import { type RawBuilder, sql } from "kysely";
import type { Chunk } from "#core/database/transaction.ts";
import type { Failure } from "#core/mail/failures.ts";
import { withdrawNewsletters } from "#core/people/consent.ts";
import { isIn } from "#core/people/states.ts";

/** What SMTP, a mail provider, an imported file or a member reports about a mail. */
export type ReportKind = Failure | "complaint" | "unsubscribe";

/** SQL for the mail that a report on each person is about: their last mail before the report, in the last 30 days. */
export const lastMails = (people: RawBuilder<unknown>, before: RawBuilder<unknown> = sql`now()`) => sql`
  select distinct on (sign_up_id) message_id, sign_up_id from deliveries
  -- An array, because PostgreSQL would scan all deliveries of a list that isn't analyzed yet.
  where sign_up_id = any(array(${people})) and tried_at > now() - interval '30 days' and tried_at <= ${before}
  order by sign_up_id, tried_at desc`;

/**
 * Applies a report to `mails`, a query for message_id and sign_up_id. Returns the people whose mails changed: none for
 * a repeated report. No report deletes anyone.
 */
export async function reportMails(chunk: Chunk, kind: ReportKind, reporter: string, mails: RawBuilder<unknown>) {
  const { rows } = await REPORTS[kind](mails, reporter).execute(chunk);
  const people = rows.map(({ id }) => id);
  if (kind === "complaint") await withdrawNewsletters(chunk, people);
  return people;
}

type Report = (mails: RawBuilder<unknown>, reporter: string) => RawBuilder<{ id: string }>;

const reportedBy = (reporter: string | RawBuilder<unknown>) => sql`reported_at = now(), reported_by = ${reporter}`;

const REPORTS: Record<ReportKind, Report> = {
  unsubscribe: (mails) => change(mails, sql`unsubscribed_at = now()`, sql`unsubscribed_at is null`),
  "soft bounce": (mails) => change(mails, sql`soft_bounced_at = now()`, sql`soft_bounced_at is null`),
  // An operator can send the mail again with `npx waitlist mail retry`.
  refused: (mails, reporter) =>
    change(
      mails,
      sql`state = 'failed', reason = 'refused', ${reportedBy(reporter)}`,
      sql`state in ('pending', 'sent')`,
    ),
  // The address gets no more mail unless someone has confirmed it in the meantime, or requests mail after 30 days.
  bounce: (mails, reporter) => {
    const changed = change(mails, sql`state = 'bounced', ${reportedBy(reporter)}`, sql`state in ('pending', 'sent')`);
    const isUnconfirmed = sql`${isIn("suppressed", false)} and (${isIn("confirmed", false)} or confirmed_at < tried_at)`;
    return suppress(changed, sql`tried_at`, isUnconfirmed);
  },
  // Suppresses as of now(), not tried_at, so that nobody else can request mail for the address. Names every source that
  // complained, because undoing one source's reports must leave the others'.
  complaint: (mails, reporter) => {
    const sources = sql`concat_ws(', ', case state when 'complained' then reported_by end, ${reporter}::text)`;
    const isNew = sql`(state in ('pending', 'sent', 'bounced')
      or (state = 'complained' and ${reporter}::text <> all(string_to_array(reported_by, ', '))))`;
    return suppress(change(mails, sql`state = 'complained', ${reportedBy(sources)}`, isNew), sql`now()`, sql`true`);
  },
};

const suppress = (changed: RawBuilder<unknown>, at: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
  sql<{ id: string }>`
    with changed as (${changed}), suppressed as (
      update sign_ups set suppressed_at = ${at}, mail_network = null from changed
      where sign_ups.id = changed.id and ${condition}
    )
    select id from changed`;

const change = (mails: RawBuilder<unknown>, set: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
  sql<{ id: string }>`
    update deliveries set ${set} from (${mails}) as mail
    where deliveries.message_id = mail.message_id and deliveries.sign_up_id = mail.sign_up_id and ${condition}
    returning deliveries.sign_up_id as id, tried_at`;
