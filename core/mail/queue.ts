import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";

export const QUEUE = "confirmation";
export const DEAD_LETTERS = "confirmation-dead";
/** The schema of pg-boss's own tables. */
export const JOBS_SCHEMA = "jobs";

/** Counts pending jobs and dead letters: none before a mail worker has run for the first time. */
export async function readQueue(db: Database): Promise<{ waiting: number; dead: number }> {
  const { rows: found } = await sql`select 1 from pg_namespace where nspname = ${JOBS_SCHEMA}`.execute(db);
  if (found.length === 0) return { waiting: 0, dead: 0 };
  const { rows } = await sql<{ waiting: number; dead: number }>`
    select
      count(*) filter (where name = ${QUEUE} and state < 'completed')::integer as waiting,
      count(*) filter (where name = ${DEAD_LETTERS} and state < 'completed')::integer as dead
    from ${sql.table(`${JOBS_SCHEMA}.job`)}`.execute(db);
  return rows[0] ?? { waiting: 0, dead: 0 };
}

/**
 * Turns dead letters back into flags, and returns how many. A mail keeps its number, and so its Message-ID. Skips
 * people who have since been sent another mail, have confirmed, or are gone.
 */
export async function retryDeadLetters(db: Database): Promise<number> {
  if ((await readQueue(db)).dead === 0) return 0;
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await sql`
      with dead as (
        delete from ${sql.table(`${JOBS_SCHEMA}.job`)} where name = ${DEAD_LETTERS} and state < 'completed' returning data
      )
      update sign_ups set mail_due = true, mails = mails - 1
      where (id, mails) in (select (data ->> 'signUpId')::bigint, (data ->> 'number')::integer from dead)
        and confirmed_at is null and rejected_at is null and not mail_due`.execute(transaction);
    return Number(numAffectedRows);
  });
}
