import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import type { Executor } from "#core/database/transaction.ts";

/** One mail to be sent: whose, and the how manieth it is. */
export interface DueMail {
  signUpId: string;
  number: number;
}

/** How many mails to confirm an address gets, ever. The second and third only when it is signed up again. */
const MAX_CONFIRMATIONS = 3;

/**
 * Marks those who were signed up again and have not confirmed: perhaps the first mail was lost, or there was no mail when
 * they joined. One a day at most, whoever asks for it and however often.
 */
export async function flagAgain(db: Executor, emailKeys: string[]): Promise<void> {
  await db.query({
    name: "mark-mail-again",
    text: `
      update sign_ups set mail_due = true
      where email_key = any($1) and confirmed_at is null and rejected_at is null and not mail_due
        and mails < ${MAX_CONFIRMATIONS} and (last_mail_at is null or last_mail_at < now() - interval '24 hours')`,
    values: [emailKeys],
  });
}

export async function isAnyDue(db: Database): Promise<boolean> {
  const { rows } = await sql`select from sign_ups where mail_due limit 1`.execute(db);
  return rows.length > 0;
}

const MAX_SWEPT = 1000;

/** Takes flags away and counts their mails, in the transaction that makes jobs of them. */
export async function takeDue(transaction: Kysely<Tables>): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    with due as (select id from sign_ups where mail_due order by id limit ${MAX_SWEPT} for update skip locked)
    update sign_ups set mail_due = false, mails = mails + 1, last_mail_at = now()
    from due where sign_ups.id = due.id
    returning sign_ups.id as "signUpId", mails as number`.execute(transaction);
  return rows;
}

/**
 * Whom to send it to, if it is still to be sent: they may have been erased, have confirmed, or be due a later one. From
 * now on the day counts in which they get no other.
 */
export async function claim(db: Database, { signUpId, number }: DueMail) {
  const { rows } = await sql<{ id: string; email: string; email_key: string }>`
    update sign_ups set last_mail_at = now()
    where id = ${signUpId} and mails = ${number} and not mail_due and confirmed_at is null and rejected_at is null
    returning id, email, email_key`.execute(db);
  return rows[0];
}

/** The receiving server knows no such address, and won't tomorrow. */
export async function markRejected(db: Database, signUpId: string): Promise<void> {
  await sql`update sign_ups set rejected_at = now() where id = ${signUpId}`.execute(db);
}

/** Whoever doesn't want our mails gets no other to confirm their address, however often it is signed up. */
export async function stopConfirmations(db: Database, signUpId: string): Promise<void> {
  await sql`
    update sign_ups set mail_due = false, mails = ${MAX_CONFIRMATIONS}
    where id = ${signUpId} and confirmed_at is null`.execute(db);
}
