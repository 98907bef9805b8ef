import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import { CONFIRMATION, isRecipient, REMINDER } from "#core/mail/recipients.ts";

/** A claim considers at most this many people. */
const CHUNK_SIZE = 1000;

/**
 * Adds deliveries for the next people who joined long enough ago. Considers each person once: turning the reminder off
 * and on doesn't remind people skipped before. Skips people whose confirmation email is less than 12 hours old.
 */
export async function addReminders(transaction: Kysely<Tables>): Promise<void> {
  // Subqueries, because for a join PostgreSQL would sort everyone after the watermark.
  const of = (column: string) => sql`select ${sql.ref(column)} from messages where id = ${REMINDER}`;
  await sql`
    with next as (
      select id, bool_or(joined_at > now() - make_interval(days => (${of("after_days")}))) over (order by id) as is_early
      from sign_ups where id > coalesce((${of("reminded_to")}), 0) order by id limit ${CHUNK_SIZE}
    ), chosen as (
      select id from sign_ups
      -- An array, because PostgreSQL would scan all people and deliveries to join them.
      where id = any(array(select id from next where not is_early)) and ${isRecipient("reminder")} and exists (
        select from deliveries
        where sign_up_id = sign_ups.id and message_id = ${CONFIRMATION} and state = 'sent'
          and sent_at < now() - interval '12 hours'
      )
      -- Skips people who are being erased.
      for key share skip locked
    ), added as (
      insert into deliveries (message_id, sign_up_id) select ${REMINDER}, id from chosen
      on conflict (sign_up_id, message_id) do nothing
    )
    update messages set reminded_to = last from (select max(id) as last from next where not is_early) as considered
    where id = ${REMINDER} and last is not null`.execute(transaction);
}

/** Gives up on reminders whose worker was killed, because the mail server may have accepted them. */
export async function skipInterrupted(transaction: Kysely<Tables>): Promise<void> {
  await sql`
    update deliveries set state = 'skipped', reason = 'interrupted'
    where message_id = ${REMINDER} and state = 'pending' and next_try_at = 'infinity' and reason is null
      and tried_at < now() - interval '10 minutes'`.execute(transaction);
}
