import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import { onePerson, retryTransaction } from "#core/database/transaction.ts";
import { lastMails, reportMails } from "#core/mail/suppression/reports.ts";
import { emailKey } from "#core/people/address.ts";
import type { MailEvent } from "./event.ts";

/** A source may suppress this many people in a day, or a tenth of the people mailed in 30 days if that is more. */
const MAX_SUPPRESSED = 50;

/** Returns false while the source is stopped; only an operator resumes it. Ignores people without a recent mail. */
export function applyEvent(db: Database, source: string, { email, kind, at }: MailEvent): Promise<boolean> {
  return retryTransaction(db, async (transaction) => {
    const suppresses = kind === "bounce" || kind === "complaint";
    const isToday = sql`kept.since > now() - interval '1 day'`;
    // Locks the source's row, so that its count is exact.
    const counted = await sql<{ isStopped: boolean }>`
      insert into mail_sources as kept (source) values (${source})
      on conflict (source) do update set
        suppressed = case when ${isToday} then kept.suppressed else 0 end,
        since = case when ${isToday} then kept.since else now() end
      returning stopped_at is not null or (${suppresses} and suppressed >= ${MAX_SUPPRESSED}
        and suppressed >= (select coalesce(sum(people), 0) / 10 from mail_minutes)) as "isStopped"`.execute(
      transaction,
    );
    const { isStopped } = onlyRow(counted);
    // Locks the person before their mails, like most changes. Providers' clocks may be a minute behind ours.
    const person = sql`select id from sign_ups where email_key = ${emailKey(email) ?? ""} for no key update`;
    const mails = lastMails(sql`select id from (${person}) as person`, sql`${at}::timestamptz + interval '1 minute'`);
    const people = isStopped ? [] : await reportMails(onePerson(transaction), kind, source, mails);
    await sql`
      update mail_sources set
        suppressed = suppressed + ${suppresses ? people.length : 0},
        stopped_at = coalesce(stopped_at, case when ${isStopped} then now() end)
      where source = ${source}`.execute(transaction);
    return !isStopped;
  });
}
