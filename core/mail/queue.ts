import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";

export const QUEUE = "confirmation";
export const DEAD_LETTERS = "confirmation-dead";
/** pg-boss keeps its tables in a schema of its own. */
export const JOBS_SCHEMA = "jobs";

/** What waits to be sent, and what was given up. Nothing where no mail worker has run yet. */
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
 * Marks those people anew whose mail was given up, and answers how many. Their mail keeps its number, and its Message-ID.
 * Whoever has had another since, has confirmed or is gone, is left alone.
 */
export async function retryDead(db: Database): Promise<number> {
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
