import { type Kysely, sql } from "kysely";
import type { Database } from "#server/database/connect.ts";
import type { Tables } from "#server/database/tables.ts";

/** One mail to be sent: whose, and the how manieth it is. */
export interface DueMail {
  signUpId: string;
  number: number;
}

const MOST_AT_ONCE = 1000;

/**
 * Turns marks into jobs, as many as the minute still allows, and answers how many. Mark, count and job change in one
 * transaction, so that a mark becomes one job and not two, whoever is killed in between.
 */
export async function sweepMarks(
  db: Database,
  perMinute: number,
  enqueue: (transaction: Kysely<Tables>, mails: DueMail[]) => Promise<unknown>,
): Promise<number> {
  // Asked twice a second, also when nobody joins: then it is a look at an empty index, and nothing is written.
  const marks = await sql`select from sign_ups where mail_due limit 1`.execute(db);
  if (marks.rows.length === 0) return 0;
  return db.transaction().execute(async (transaction) => {
    const minute = await sql<{ mails: number }>`
      insert into mail_minutes as this (minute, mails) values (date_trunc('minute', now()), 0)
      on conflict (minute) do update set mails = this.mails
      returning mails`.execute(transaction);
    const allowed = Math.min(MOST_AT_ONCE, perMinute - (minute.rows[0]?.mails ?? perMinute));
    if (allowed <= 0) return 0;
    const { rows } = await sql<{ id: string; mails: number }>`
      with due as (select id from sign_ups where mail_due order by id limit ${allowed} for update skip locked)
      update sign_ups set mail_due = false, mails = mails + 1, last_mail_at = now()
      from due where sign_ups.id = due.id
      returning sign_ups.id, mails`.execute(transaction);
    if (rows.length === 0) return 0;
    await enqueue(
      transaction,
      rows.map(({ id, mails }) => ({ signUpId: id, number: mails })),
    );
    await sql`
      update mail_minutes set mails = mails + ${rows.length} where minute = date_trunc('minute', now())`.execute(
      transaction,
    );
    await sql`delete from mail_minutes where minute < now() - interval '1 hour'`.execute(transaction);
    return rows.length;
  });
}
