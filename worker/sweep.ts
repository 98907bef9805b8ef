import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import type { DueMail } from "#core/mail/outbox.ts";

const MOST_AT_ONCE = 1000;

/**
 * Turns marks into jobs, and answers how many. Mark, count and job change in one transaction, so that a mark becomes one
 * job and not two, whoever is killed in between.
 */
export async function sweepMarks(
  db: Database,
  enqueue: (transaction: Kysely<Tables>, mails: DueMail[]) => Promise<unknown>,
): Promise<number> {
  // Asked twice a second, also when nobody joins: then it is a look at an empty index, and nothing is written.
  const marks = await sql`select from sign_ups where mail_due limit 1`.execute(db);
  if (marks.rows.length === 0) return 0;
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string; mails: number }>`
      with due as (select id from sign_ups where mail_due order by id limit ${MOST_AT_ONCE} for update skip locked)
      update sign_ups set mail_due = false, mails = mails + 1, last_mail_at = now()
      from due where sign_ups.id = due.id
      returning sign_ups.id, mails`.execute(transaction);
    if (rows.length === 0) return 0;
    await enqueue(
      transaction,
      rows.map(({ id, mails }) => ({ signUpId: id, number: mails })),
    );
    return rows.length;
  });
}
