import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import type { Delivery } from "./deliveries.ts";
import { takeDue } from "./outbox.ts";
import { CONFIRMATION, LINK } from "./recipients.ts";
import { bulkShare } from "./send-rate.ts";

/** More would only make newcomers wait behind jobs that are already in order. The rest stays pending. */
const MAX_QUEUED_SECONDS = 4;
const MIN_QUEUED = 20;
/** Mails whose attempts failed are retried for two days; past this many the mail server has a problem, not the mail. */
const MAX_RETRYING = 10_000;
/** What a pace makes up for at once after a delay, so that it is kept in every hour. */
const MAX_CATCH_UP = sql`interval '5 seconds'`;

const isBulk = sql`kind in ('invitation', 'announcement')`;

export interface Fed {
  /** Includes links that people asked for: they are waiting for those too. */
  confirmations: Delivery[];
  invitations: Delivery[];
  announcements: Delivery[];
}

/** Polled twice a second: when there is nothing to send, this only reads empty indexes and writes nothing. */
export async function hasWork(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select where exists (select from messages where state = 'sending' and ${isBulk} and next_release_at <= now())
      or not exists (select from mail_hold where until > now()) and (
        exists (select from sign_ups where mail_due)
        or exists (select from deliveries where message_id in (${CONFIRMATION}, ${LINK}) and state = 'pending' and queued_at is null)
      )`.execute(db);
  return rows.length > 0;
}

/** One sweep at a time, among all workers: two would each allow a mailbox its share. Released with the transaction. */
export async function lockSweep(transaction: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('mail sweep')) as locked`.execute(transaction);
  return rows[0]?.locked ?? false;
}

/**
 * Chooses the mails that get jobs now, in the transaction that enqueues them: confirmations, and with the room that
 * they leave invitations, then announcements, each message at its pace.
 */
export async function feed(transaction: Kysely<Tables>, perMinute: number): Promise<Fed> {
  const { fresh, freshBulk, retrying, isHeld } = await readQueued(transaction);
  const fed: Fed = { confirmations: [], invitations: [], announcements: [] };
  if (retrying >= MAX_RETRYING) return fed;

  const { confirmations } = fed;
  const room = roomFor(perMinute, fresh);
  if (room > 0 && !isHeld) {
    for (const id of [CONFIRMATION, LINK]) {
      confirmations.push(...(await takePending(transaction, id, room - confirmations.length)));
    }
    confirmations.push(...(await takeDue(transaction, room - confirmations.length)));
  }
  // Confirmations have their fifth. While more than that are waiting, nothing else is queued.
  const waiting = fresh + confirmations.length;
  const hasBacklog = waiting > maxQueued(perMinute) - maxQueued(bulkShare(perMinute));
  const bulkRoom = roomFor(bulkShare(perMinute), freshBulk);
  if (!hasBacklog && bulkRoom > 0) await takeBulk(transaction, fed, bulkRoom);
  return fed;
}

interface Queued {
  /** Confirmations with a job that hasn't been tried. */
  fresh: number;
  freshBulk: number;
  retrying: number;
  /** Whether a surge of sign-ups holds confirmations back. */
  isHeld: boolean;
}

async function readQueued(transaction: Kysely<Tables>): Promise<Queued> {
  const { rows } = await sql<Queued>`
    select
      count(*) filter (where not is_retry and message_id in (${CONFIRMATION}, ${LINK}))::integer as fresh,
      count(*) filter (where not is_retry and message_id not in (${CONFIRMATION}, ${LINK}))::integer as "freshBulk",
      count(*) filter (where is_retry)::integer as retrying,
      exists (select from mail_hold where until > now()) as "isHeld"
    from (
      select message_id, coalesce(tried_at >= queued_at, false) as is_retry
      from deliveries where state = 'pending' and queued_at is not null
    ) as queued`.execute(transaction);
  return rows[0] as Queued;
}

function maxQueued(perMinute: number): number {
  return Math.max(MIN_QUEUED, Math.ceil((perMinute / 60) * MAX_QUEUED_SECONDS));
}

/** None until the queue is half empty, because choosing mails reads everything due. */
function roomFor(perMinute: number, queued: number): number {
  const max = maxQueued(perMinute);
  return queued > max / 2 ? 0 : max - queued;
}

async function takePending(transaction: Kysely<Tables>, messageId: string, limit: number): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    update deliveries set queued_at = now()
    from (
      select sign_up_id as id from deliveries
      where message_id = ${messageId} and state = 'pending' and queued_at is null
      order by sign_up_id limit ${limit} for update skip locked
    ) as next
    where message_id = ${messageId} and sign_up_id = next.id
    returning message_id as "messageId", sign_up_id as "signUpId", copies as copy`.execute(transaction);
  return rows;
}

/** The pace is in the message's row: the time from which the next mail may be sent, moved on by every mail. */
async function takeBulk(transaction: Kysely<Tables>, { invitations, announcements }: Fed, room: number): Promise<void> {
  const { rows: sending } = await sql<{ id: string; kind: string; allowed: number | null }>`
    select id, kind, floor(extract(epoch from now() - greatest(next_release_at, now() - ${MAX_CATCH_UP})) * pace
      / extract(epoch from ('1 ' || pace_unit)::interval))::integer + 1 as allowed
    from messages where state = 'sending' and ${isBulk} and next_release_at <= now()
    order by kind = 'announcement', id for no key update skip locked`.execute(transaction);
  for (const { id, kind, allowed } of sending) {
    const limit = Math.min(room - invitations.length - announcements.length, allowed ?? room);
    const mails = limit > 0 ? await takePending(transaction, id, limit) : [];
    (kind === "invitation" ? invitations : announcements).push(...mails);
    await sql`
      update messages set next_release_at = case
        when pace is null then next_release_at
        else greatest(next_release_at, now() - ${MAX_CATCH_UP}) + ${mails.length}::integer * ('1 ' || pace_unit)::interval / pace
      end
      where id = ${id} and ${mails.length}::integer > 0`.execute(transaction);
    if (limit > 0 && mails.length === 0) await finishIfSent(transaction, id);
  }
}

async function finishIfSent(transaction: Kysely<Tables>, id: string): Promise<void> {
  // Two conditions, one for each of the partial indexes.
  await sql`
    update messages set state = 'done', finished_at = now()
    where id = ${id} and state = 'sending'
      and not exists (select from deliveries where message_id = ${id} and state = 'pending' and queued_at is null)
      and not exists (select from deliveries where message_id = ${id} and state = 'pending' and queued_at is not null)`.execute(
    transaction,
  );
}
