import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { CONFIRMATION, type Delivery, LINK, REMINDER } from "#core/mail/recipients.ts";
import { type ClaimedDelivery, claim } from "./deliveries.ts";
import { createTurns } from "./due-confirmations.ts";
import { pauseUnhealthy } from "./health.ts";
import { takeSlots } from "./mailboxes.ts";
import { createNetworkBudgets } from "./network-budgets.ts";
import { addReminders, skipInterrupted } from "./reminders.ts";

/** After a delay, a message catches up on at most this much, so that no hour exceeds its pace. */
const MAX_CATCH_UP = sql`interval '5 seconds'`;

export interface Claimed {
  mails: ClaimedDelivery[];
  /** Nothing is due, or the minute's limit is used up. */
  isIdle: boolean;
}

/**
 * Returns a function that claims up to `limit` mails right before sending: first confirmations and links, then
 * invitations, then reminders, then announcements, each message at its pace. Retries and first attempts take turns
 * going first, so that a mail server that defers everything delays nobody else's mail.
 */
export function createMailQueue(db: Database, perMinute: number, now = Date.now): (limit: number) => Promise<Claimed> {
  const takeDue = createTurns(createNetworkBudgets(now));
  let areRetriesFirst = false;
  return (limit) =>
    db.transaction().execute(async (transaction) => {
      // One worker at a time, because two could both use what remains of the minute's or a mailbox's limit.
      await sql`select pg_advisory_xact_lock(hashtext('claim mail'))`.execute(transaction);
      const room = await readRoom(transaction, perMinute);
      areRetriesFirst = !areRetriesFirst;
      const inTurn = (retries: Take, firsts: Take, max: number) =>
        takeBoth(areRetriesFirst ? [retries, firsts] : [firsts, retries], max);

      const personal = await inTurn(
        (max) => takeRetries(transaction, [CONFIRMATION, LINK], max),
        (max) => takeDue(transaction, max),
        Math.min(limit, room.mails),
      );
      const mails = await claim(transaction, await takeSlots(transaction, CONFIRMATION, personal));
      const bulkRoom = Math.min(limit - personal.length, room.mails - mails.length, room.bulk);
      const sending = bulkRoom > 0 ? await lockSending(transaction) : [];
      const ids = sending.map(({ id }) => id);
      if (ids.includes(REMINDER)) {
        await skipInterrupted(transaction);
        await addReminders(transaction);
      }
      const bulk = await inTurn(
        (max) => takeRetries(transaction, ids, max),
        (max) => takeNew(transaction, sending, max),
        sending.length > 0 ? bulkRoom : 0,
      );
      const bulkMails = await claim(transaction, await takeSlots(transaction, REMINDER, bulk));
      if (bulk.length === 0) await finishSent(transaction, ids);
      const claimed = [...mails, ...bulkMails];
      await countMails(transaction, claimed, bulkMails.length);
      return { mails: claimed, isIdle: personal.length + bulk.length === 0 };
    });
}

type Take = (max: number) => Promise<Delivery[]>;

async function takeBoth(takes: Take[], max: number): Promise<Delivery[]> {
  const taken: Delivery[] = [];
  for (const take of takes) if (taken.length < max) taken.push(...(await take(max - taken.length)));
  return taken;
}

interface Room {
  /** The rest of this minute's limit, which all workers share. */
  mails: number;
  /** How much of `mails` bulk messages may use. A fifth is reserved for confirmations, because people wait for them. */
  bulk: number;
}

export const bulkShare = (perMinute: number) => Math.max(1, Math.floor((perMinute * 4) / 5));

async function readRoom(transaction: Kysely<Tables>, perMinute: number): Promise<Room> {
  const { rows } = await sql<Room>`
    select ${perMinute} - coalesce(sum(mails), 0)::integer as mails, ${bulkShare(perMinute)} - coalesce(sum(bulk), 0)::integer as bulk
    from mail_minutes where minute = date_trunc('minute', now())`.execute(transaction);
  return rows[0] as Room;
}

/** Keeps the counts as long as reports may arrive. Retries count toward the limits, but not as people. */
async function countMails(transaction: Kysely<Tables>, mails: ClaimedDelivery[], bulk: number): Promise<void> {
  if (mails.length === 0) return;
  const people = mails.filter(({ isFirstTry }) => isFirstTry);
  const gmail = people.filter(({ isGmail }) => isGmail);
  await sql`
    with old as (delete from mail_minutes where minute < now() - interval '30 days')
    insert into mail_minutes as this (minute, mails, bulk, people, gmail)
    values (date_trunc('minute', now()), ${mails.length}, ${bulk}, ${people.length}, ${gmail.length})
    on conflict (minute) do update set mails = this.mails + excluded.mails, bulk = this.bulk + excluded.bulk,
      people = this.people + excluded.people, gmail = this.gmail + excluded.gmail`.execute(transaction);
}

/** Mails whose last attempt failed, whose worker was killed, or whose mailbox had reached its limit. */
async function takeRetries(transaction: Kysely<Tables>, messageIds: string[], max: number): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select due.* from unnest(${messageIds}::bigint[]) as message (id), lateral (
      select message_id as "messageId", sign_up_id as "signUpId" from deliveries
      where message_id = message.id and state = 'pending' and next_try_at <= now()
      order by next_try_at limit ${max} for update skip locked
    ) as due limit ${max}`.execute(transaction);
  return rows;
}

/** Whether a message has pending mails that match. EXISTS might scan all of the message's mails. */
export const hasPending = (condition: RawBuilder<unknown>) => sql<boolean>`
  coalesce((
    select true from deliveries
    where message_id = messages.id and deliveries.state = 'pending' and ${condition} limit 1
  ), false)`;

interface Sending {
  id: string;
  allowed: number;
}

/** Locks the bulk messages with mail to send, so that nobody pauses or cancels them in the meantime. */
async function lockSending(transaction: Kysely<Tables>): Promise<Sending[]> {
  await pauseUnhealthy(transaction);
  const { rows } = await sql<Sending>`
    select id, case
      when next_release_at > now() then 0
      when pace is null then 2147483647
      else floor(extract(epoch from now() - greatest(next_release_at, now() - ${MAX_CATCH_UP})) * pace
        / extract(epoch from ('1 ' || pace_unit)::interval))::integer + 1
    end as allowed
    from messages
    where state = 'sending' and kind in ('reminder', 'invitation', 'announcement')
      and (next_release_at <= now() or ${hasPending(sql`next_try_at <= now()`)})
    order by kind <> 'invitation', id for no key update skip locked`.execute(transaction);
  return rows;
}

/** Takes first attempts, and advances the time of each message's next mail. */
async function takeNew(transaction: Kysely<Tables>, sending: Sending[], max: number): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    with taken as (
      select new.* from
        unnest(${sending.map(({ id }) => id)}::bigint[], ${sending.map(({ allowed }) => allowed)}::integer[])
          as message (id, allowed),
        lateral (
          select message_id, sign_up_id from deliveries
          where message_id = message.id and state = 'pending' and next_try_at is null
          order by sign_up_id limit least(message.allowed, ${max}) for update skip locked
        ) as new
      limit ${max}
    ), paced as (
      update messages set next_release_at =
        greatest(next_release_at, now() - ${MAX_CATCH_UP}) + mails * ('1 ' || pace_unit)::interval / pace
      from (select message_id, count(*) as mails from taken group by 1) as counted
      where id = message_id and pace is not null
    )
    select message_id as "messageId", sign_up_id as "signUpId" from taken`.execute(transaction);
  return rows;
}

async function finishSent(transaction: Kysely<Tables>, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update messages set state = 'done', finished_at = now()
    where id = any(${ids}::bigint[]) and kind <> 'reminder'
      -- Two conditions, one for each of the partial indexes.
      and not ${hasPending(sql`next_try_at is null`)}
      and not ${hasPending(sql`next_try_at is not null`)}`.execute(transaction);
}
