import { type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { runPrepared } from "#core/database/prepared.ts";
import type { Tables } from "#core/database/tables.ts";
import { type Kind, refusalNow } from "./recipients.ts";

/** One mail to one person. Only confirmations and links have more than one copy. */
export interface Delivery {
  messageId: string;
  signUpId: string;
  copy: number;
}

/** What is needed to write the mail. */
export interface ClaimedDelivery extends Delivery {
  kind: Kind;
  subject: string;
  body: string;
  email: string;
  email_key: string;
  firstName: string;
  lastName: string;
  company: string | null;
  waveId: string | null;
}

const isPending = ({ messageId, signUpId, copy }: Delivery) =>
  sql<boolean>`message_id = ${messageId} and sign_up_id = ${signUpId} and copies = ${copy} and deliveries.state = 'pending'`;

/**
 * Returns the recipient if the mail is still due, right before it is sent: they may have been erased, have unsubscribed
 * or have got it already, or the message may be paused. Restarts the 24 hours without another confirmation.
 */
export async function claim(db: Database, delivery: Delivery): Promise<ClaimedDelivery | undefined> {
  const statement = sql<Omit<ClaimedDelivery, keyof Delivery>>`
    update deliveries set tried_at = now() from messages, sign_ups
    where ${isPending(delivery)} and messages.id = message_id and sign_ups.id = sign_up_id
      and messages.state = 'sending' and ${refusalNow()} is null
    returning kind, subject, body, email, email_key, first_name as "firstName", last_name as "lastName", company,
      sign_ups.wave_id as "waveId"`;
  const [recipient] = await runPrepared(db, "claim-delivery", statement);
  return recipient && { ...delivery, ...recipient };
}

/**
 * After a claim that returned nothing: records why, or keeps the mail for when its message is resumed. Returns false if
 * that has happened meanwhile, so that the mail still needs its job.
 */
export async function skip(db: Kysely<Tables>, delivery: Delivery): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update deliveries set
      state = case when messages.state = 'paused' then 'pending' else 'skipped' end,
      reason = case messages.state when 'paused' then null when 'canceled' then 'canceled' else ${refusalNow()} end,
      queued_at = case when messages.state = 'paused' then null else queued_at end
    from messages, sign_ups
    where ${isPending(delivery)} and messages.id = message_id and sign_ups.id = sign_up_id
      and (messages.state <> 'sending' or ${refusalNow()} is not null)`.execute(db);
  // Not read again: the sweep may have given it another job.
  if (numAffectedRows === 1n) return true;
  const { rows } = await sql`
    select from deliveries where ${isPending(delivery)} and queued_at is not null`.execute(db);
  return rows.length === 0;
}

export async function recordSent(db: Database, delivery: Delivery): Promise<void> {
  const statement = sql`update deliveries set state = 'sent', sent_at = now() where ${isPending(delivery)}`;
  await runPrepared(db, "record-sent", statement);
}

/** For a permanent failure because of the address: nobody writes to it again unless it is confirmed. */
export async function recordRejected(db: Database, delivery: Delivery): Promise<void> {
  await sql`
    with rejected as (update deliveries set state = 'rejected' where ${isPending(delivery)})
    update sign_ups set rejected_at = now() where id = ${delivery.signUpId}`.execute(db);
}

/** For an operator to look at: `npx waitlist mail retry` sends it again. */
export async function recordFailed(db: Database, delivery: Delivery, reason: "refused" | "invalid"): Promise<void> {
  await sql`update deliveries set state = 'failed', reason = ${reason} where ${isPending(delivery)}`.execute(db);
}

/** Gives up on a mail that has been retried for two days, and returns whether it did. */
export async function recordExpired(db: Database, delivery: Delivery): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update deliveries set state = 'failed', reason = 'expired'
    where ${isPending(delivery)} and queued_at < now() - interval '2 days'`.execute(db);
  return numAffectedRows === 1n;
}

/** Makes failed mails pending again, and returns how many. A mail keeps its Message-ID. */
export function retryFailed(db: Database, actor: Actor): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const count = await retryAll(transaction);
    await recordActivity(transaction, actor, { action: "retry mail", count });
    return count;
  });
}

async function retryAll(transaction: Kysely<Tables>): Promise<number> {
  // Locked, because the sweep would finish a message whose pending mails it doesn't see yet.
  await sql`
    select from messages where state in ('sending', 'paused', 'done') order by id for no key update`.execute(
    transaction,
  );
  const { rows } = await sql<{ retried: number }>`
    with retried as (
      update deliveries set state = 'pending', reason = null, queued_at = null from messages, sign_ups
      where deliveries.state = 'failed' and messages.id = message_id and sign_ups.id = sign_up_id
        and messages.state <> 'canceled' and ${refusalNow()} is null
      returning message_id
    ), resumed as (
      update messages set state = 'sending', finished_at = null
      where state = 'done' and id in (select message_id from retried)
    )
    select count(*)::integer as retried from retried`.execute(transaction);
  return rows[0]?.retried ?? 0;
}
