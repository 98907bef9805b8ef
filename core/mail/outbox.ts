import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import type { Executor } from "#core/database/transaction.ts";

/** A mail to send. `number` counts the mails to one sign-up, from 1. */
export interface DueMail {
  signUpId: string;
  number: number;
  /** "link" for someone who had confirmed when it was queued. Missing from jobs of earlier versions: a confirmation. */
  kind?: "confirmation" | "link";
}

/** Confirmation mails per address, ever. The second and third are sent only when it signs up again. */
export const MAX_CONFIRMATIONS = 3;

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
        and mails < ${MAX_CONFIRMATIONS} and (last_mail_at is null or last_mail_at < now() - interval '24 hours')`,
    values: [emailKeys],
  });
}

export async function hasDueMail(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from sign_ups where mail_due and not exists (select from mail_hold where until > now()) limit 1`.execute(db);
  return rows.length > 0;
}

/** One sweep at a time, among all workers: two would each allow a mailbox its share. Released with the transaction. */
export async function lockSweep(transaction: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('mail sweep')) as locked`.execute(transaction);
  return rows[0]?.locked ?? false;
}

/** Confirmation mails in 30 days to all addresses of one mailbox together. */
const MAX_PER_MAILBOX = 3;

/**
 * Clears up to `limit` flags and counts their mails, in the transaction that enqueues the jobs. Networks take turns, so
 * that nobody waits for the mails that someone else has caused. A mailbox that has had its share gets none.
 */
export async function takeDue(transaction: Kysely<Tables>, limit: number): Promise<DueMail[]> {
  const { rows } = await sql<DueMail & { isAllowed: boolean }>`
    with due as (
      select id, coalesce(mailbox_key, email_key) as mailbox
      from (
        select id, mailbox_key, email_key, row_number() over (partition by mail_network order by id) as turn
        from sign_ups where mail_due
      ) as queued
      order by turn, id limit ${limit}
    ), counted as (
      select id, sent + row_number() over (partition by mailbox order by id) <= ${MAX_PER_MAILBOX} as is_allowed
      from due, lateral (
        select coalesce(sum(mails), 0) as sent from sign_ups
        where (email_key = mailbox or mailbox_key = mailbox) and last_mail_at > now() - interval '30 days'
      ) as earlier
    )
    update sign_ups set
      mail_due = false,
      mail_network = null,
      mails = mails + is_allowed::integer,
      last_mail_at = case when is_allowed then now() else last_mail_at end
    from counted where sign_ups.id = counted.id and mail_due
    returning sign_ups.id as "signUpId", mails as number, is_allowed as "isAllowed",
      case when confirmed_at is null then 'confirmation' else 'link' end as kind`.execute(transaction);
  return rows.filter(({ isAllowed }) => isAllowed).map(({ isAllowed, ...mail }) => mail);
}

/**
 * Returns the recipient if the mail is still due: they may have been erased, have confirmed since, or be due a later one.
 * Restarts the 24 hours in which they get no other mail.
 */
export async function claim(db: Database, { signUpId, number, kind }: DueMail) {
  const { rows } = await sql<{ id: string; email: string; email_key: string }>`
    update sign_ups set last_mail_at = now()
    where id = ${signUpId} and mails = ${number} and not mail_due and rejected_at is null
      and (confirmed_at is not null) = ${kind === "link"}
    returning id, email, email_key`.execute(db);
  return rows[0];
}

/** For a permanent failure: the receiving server knows no such address. */
export async function markRejected(db: Database, signUpId: string): Promise<void> {
  await sql`update sign_ups set rejected_at = now() where id = ${signUpId}`.execute(db);
}

/**
 * After an unsubscribe: no more confirmation mails, no matter how often the address is signed up. Writes nothing the
 * second time, because unsubscribing has no rate limit.
 */
export async function stopConfirmations(db: Database, signUpId: string): Promise<void> {
  await sql`
    update sign_ups set mail_due = false, mails = ${MAX_CONFIRMATIONS}
    where id = ${signUpId} and confirmed_at is null and (mail_due or mails < ${MAX_CONFIRMATIONS})`.execute(db);
}
