import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import type { Executor } from "#core/database/transaction.ts";
import type { Delivery } from "./deliveries.ts";
import { CONFIRMATION, LINK, MAX_CONFIRMATIONS } from "./recipients.ts";

/**
 * Flags unconfirmed people who sign up again: the first mail may be lost, or mail was disabled when they joined. At
 * most one mail a day, no matter who signs the address up or how often.
 */
export async function flagForResend(db: Executor, emailKeys: string[]): Promise<void> {
  await db.query({
    name: "flag-for-resend",
    text: `
      update sign_ups set mail_due = true
      where email_key = any($1) and confirmed_at is null and rejected_at is null and not mail_due
        and not exists (
          select from deliveries
          where sign_up_id = sign_ups.id and message_id = ${CONFIRMATION}
            and (copies >= ${MAX_CONFIRMATIONS} or greatest(queued_at, tried_at) >= now() - interval '24 hours')
        )`,
    values: [emailKeys],
  });
}

/**
 * Confirmations and links in 30 days to all addresses of one mailbox together. Copies have no timestamps of their own, so
 * after the third of one mail, the next follows 30 days after the last.
 */
export const MAX_PER_MAILBOX = 3;

/** How many `mailbox` got in that time, as a lateral subquery. */
export const SENT_TO_MAILBOX = sql`
  select coalesce(sum(copies), 0) as sent
  from sign_ups as same_mailbox join deliveries on sign_up_id = same_mailbox.id and message_id in (${CONFIRMATION}, ${LINK})
  where (email_key = mailbox or mailbox_key = mailbox)
    and greatest(queued_at, tried_at) > now() - interval '30 days'`;

/**
 * Turns up to `limit` flags into deliveries, in the transaction that enqueues their jobs. Networks take turns, so that
 * nobody waits for the mails that someone else has caused. A mailbox that has had its share gets none.
 *
 * It reads everything due: 0.3 s of 100,000, 2 to 3.5 s of a million. Only the oldest 20,000 would take 0.06 s, but then
 * everyone behind a flood of so many waits for all of it.
 */
export async function takeDue(transaction: Kysely<Tables>, limit: number): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    with due as (
      select id, coalesce(mailbox_key, email_key) as mailbox
      from (
        select id, mailbox_key, email_key, row_number() over (partition by mail_network order by id) as turn
        from sign_ups where mail_due
      ) as queued
      order by turn, id limit ${limit}
    ), counted as (
      select id, sent + row_number() over (partition by mailbox order by id) <= ${MAX_PER_MAILBOX} as is_allowed
      from due, lateral (${SENT_TO_MAILBOX}) as earlier
    ), cleared as (
      update sign_ups set mail_due = false, mail_network = null
      from counted where sign_ups.id = counted.id and mail_due
      returning sign_ups.id, is_allowed, confirmed_at
    )
    insert into deliveries as kept (message_id, sign_up_id, queued_at)
    select case when confirmed_at is null then ${CONFIRMATION}::bigint else ${LINK}::bigint end, id, now()
    from cleared where is_allowed
    on conflict (sign_up_id, message_id)
      do update set copies = kept.copies + 1, state = 'pending', reason = null, queued_at = now()
    returning message_id as "messageId", sign_up_id as "signUpId", copies as copy`.execute(transaction);
  return rows;
}

/**
 * After an unsubscribe: no more confirmation mails, no matter how often the address is signed up. Writes nothing the
 * second time, because unsubscribing has no rate limit.
 */
export async function stopConfirmations(db: Database, signUpId: string): Promise<void> {
  await sql`
    with person as (
      -- Locked, because a delivery can't be added to someone who is being erased.
      select id from sign_ups where id = ${signUpId} and confirmed_at is null for no key update
    ), unflagged as (
      update sign_ups set mail_due = false from person where sign_ups.id = person.id and mail_due
    )
    insert into deliveries as kept (message_id, sign_up_id, state, reason, copies)
    select ${CONFIRMATION}, id, 'skipped', 'unsubscribed', ${MAX_CONFIRMATIONS} from person
    on conflict (sign_up_id, message_id) do update set
      copies = ${MAX_CONFIRMATIONS},
      state = case when kept.state in ('pending', 'failed') then 'skipped' else kept.state end,
      reason = case when kept.state in ('pending', 'failed') then 'unsubscribed' else kept.reason end
    where kept.copies < ${MAX_CONFIRMATIONS} or kept.state in ('pending', 'failed')`.execute(db);
}
