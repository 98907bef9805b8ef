import { type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import type { EmailKey, Tables } from "#core/database/tables.ts";
import { type Chunk, onePerson } from "#core/database/transaction.ts";
import { type Delivery, isPersonal, type Kind, REMINDER, refusalNow, SET_ASIDE } from "#core/mail/recipients.ts";
import type { Recipient } from "#core/mail/rendering/render.ts";
import type { SendOutcome } from "#core/mail/sender.ts";
import { reportMails } from "#core/mail/suppression/reports.ts";
import { isAtGmail } from "#core/people/address.ts";

/** Everything needed to compose the mail. Only confirmations and links have more than one copy. */
export interface ClaimedDelivery extends Delivery, Recipient {
  copy: number;
  kind: Kind;
  subject: string;
  body: string;
  email_key: EmailKey;
  waveId: string | null;
  isGmail: boolean;
  isFirstTry: boolean;
}

/** Longer than it takes to send a mail and record it. After the lease, another worker may send the mail. */
export const LEASE_MS = 120_000;
const LEASE = sql`${sql.lit(LEASE_MS)} * interval '1 millisecond'`;
const MAX_RETRY_DELAY = sql`interval '5 minutes'`;
const IS_EXPIRED = sql`first_tried_at < now() - interval '2 days'`;

/**
 * Checks pending mails again right before they are sent, because people may have unsubscribed. The caller has locked
 * the rows. Returns the mails to send, leased to this worker, and records why the others are skipped. Mails to people
 * who are set aside are postponed until `resumePostponed`, and then count as never tried, or they might have expired.
 */
export async function claim(transaction: Kysely<Tables>, chosen: Delivery[]): Promise<ClaimedDelivery[]> {
  if (chosen.length === 0) return [];
  const { rows } = await sql<ClaimedDelivery & { refusal: string | null }>`
    update deliveries set
      state = case when refusal is null or refusal = ${SET_ASIDE} then 'pending' else 'skipped' end,
      reason = refusal,
      tried_at = case when refusal is null then now() else tried_at end,
      is_gmail = ${isAtGmail},
      first_tried_at = case
        when refusal is null then coalesce(first_tried_at, now()) when refusal <> ${SET_ASIDE} then first_tried_at
      end,
      mailed_at = case
        when refusal is null and first_tried_at is null and kind in ('confirmation', 'link')
        then (array_prepend(now(), mailed_at))[:5] else mailed_at
      end,
      -- A reminder is sent at most once.
      next_try_at = case when kind = 'reminder' or refusal = ${SET_ASIDE} then 'infinity' else now() + ${LEASE} end
    from
      unnest(${chosen.map(({ messageId }) => messageId)}::bigint[], ${chosen.map(({ signUpId }) => signUpId)}::bigint[])
        as chosen (message_id, sign_up_id)
      join messages on messages.id = chosen.message_id
      join sign_ups on sign_ups.id = chosen.sign_up_id,
      lateral (select ${refusalNow()} as refusal) as rule
    where deliveries.message_id = chosen.message_id and deliveries.sign_up_id = chosen.sign_up_id
    returning deliveries.message_id as "messageId", deliveries.sign_up_id as "signUpId", copies as copy, kind, subject,
      body, email, email_key, first_name as "firstName", last_name as "lastName", company,
      sign_ups.wave_id as "waveId", is_gmail as "isGmail", first_tried_at = now() as "isFirstTry",
      refusal`.execute(transaction);
  return rows.filter(({ refusal }) => refusal === null);
}

/** Makes the emails due that were postponed because these people were set aside. */
export async function resumePostponed(chunk: Chunk, people: string[]): Promise<void> {
  // A claim that still sees them set aside has locked their mails, and may postpone one until it commits.
  await sql`
    select from deliveries where sign_up_id = any(${people}::bigint[]) and state = 'pending'
    order by sign_up_id, message_id for update`.execute(chunk);
  await sql`
    -- A bulk mail counts as never tried, so that its message keeps its pace.
    update deliveries set reason = null, next_try_at = case when ${isPersonal} then now() end
    where sign_up_id = any(${people}::bigint[]) and state = 'pending' and reason = ${SET_ASIDE}`.execute(chunk);
}

/** "invalid": the mail couldn't be composed. "delayed": a temporary failure. "unknown": the connection broke after DATA. */
export type Outcome = SendOutcome | "invalid" | "delayed" | "unknown";

export async function recordOutcome(db: Database, mail: ClaimedDelivery, outcome: Outcome, codes = ""): Promise<void> {
  const { messageId, signUpId, copy } = mail;
  const isPending = sql`
    message_id = ${messageId} and sign_up_id = ${signUpId} and copies = ${copy} and state = 'pending'`;
  if (outcome === "bounced" || outcome === "refused") {
    const mails = sql`select message_id, sign_up_id from deliveries where ${isPending}`;
    await reportMails(onePerson(db), outcome === "bounced" ? "bounce" : "refused", "smtp", mails);
  } else {
    const known = outcome === "unknown" && messageId !== REMINDER ? "delayed" : outcome;
    await sql`update deliveries set ${CHANGES[known](codes)} where ${isPending}`.execute(db);
  }
}

const CHANGES = {
  sent: () => sql`state = 'sent', sent_at = now()`,
  invalid: () => sql`state = 'failed', reason = 'invalid'`,
  unknown: () => sql`state = 'skipped', reason = 'interrupted'`,
  // Exponential backoff: waits as long as the mail has been failing, up to five minutes. Gives up after two days.
  delayed: (codes: string) => sql`
    state = case when ${IS_EXPIRED} then 'failed' else 'pending' end,
    reason = case when ${IS_EXPIRED} then 'expired' else nullif(${codes}, '') end,
    next_try_at = now() + least(greatest(now() - first_tried_at, interval '1 second'), ${MAX_RETRY_DELAY})`,
};

/** Makes failed mails pending again, and returns how many. A mail keeps its Message-ID. */
export function retryFailed(db: Database, actor: Actor): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // Locks the messages; otherwise, a worker that doesn't see the pending mails yet could mark a message as done.
    await sql`
      select from messages where state in ('sending', 'paused', 'done')
      order by id for no key update`.execute(transaction);
    const retried = await sql<{ count: number }>`
      with retried as (
        update deliveries set state = 'pending', reason = null,
          -- A bulk mail counts as never tried, so that its message keeps its pace.
          first_tried_at = case when ${isPersonal} then now() end,
          next_try_at = case when ${isPersonal} then now() end
        from messages, sign_ups
        where deliveries.state = 'failed' and messages.id = message_id and sign_ups.id = sign_up_id
          and messages.state <> 'canceled' and ${refusalNow()} is null
        returning message_id
      ), resumed as (
        update messages set state = 'sending', finished_at = null
        where state = 'done' and id in (select message_id from retried)
      )
      select count(*)::integer from retried`.execute(transaction);
    const { count } = onlyRow(retried);
    await recordActivity(transaction, actor, { action: "retry mail", count });
    return count;
  });
}
