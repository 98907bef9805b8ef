import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";

export const QUEUE = "confirmation";
export const DEAD_LETTERS = "confirmation-dead";
/** The schema of pg-boss's own tables. */
export const JOBS_SCHEMA = "jobs";

/** Counts pending jobs and dead letters. */
export async function readQueue(db: Database): Promise<{ waiting: number; dead: number }> {
  const { rows } = await sql<{ waiting: number; dead: number }>`
    select
      count(*) filter (where name = ${QUEUE} and state < 'completed')::integer as waiting,
      count(*) filter (where name = ${DEAD_LETTERS} and state < 'completed')::integer as dead
    from ${sql.table(`${JOBS_SCHEMA}.job`)}`.execute(db);
  return rows[0] ?? { waiting: 0, dead: 0 };
}

/** More would only make newcomers wait behind jobs that are already in order. The rest stays due on the list. */
const MAX_QUEUED_SECONDS = 4;
const MIN_QUEUED = 20;
/** Mails whose attempts failed wait here for two days; past this many the mail server has a problem, not the mail. */
const MAX_RETRYING = 10_000;

/** How many jobs may be added: none until the queue is half empty, because choosing them reads everything due. */
export async function roomInQueue(db: Kysely<Tables>, perMinute: number): Promise<number> {
  const { rows } = await sql<{ fresh: number; retrying: number }>`
    select
      count(*) filter (where state = 'created')::integer as fresh,
      count(*) filter (where state = 'retry')::integer as retrying
    from ${sql.table(`${JOBS_SCHEMA}.job`)} where name = ${QUEUE} and state < 'active'`.execute(db);
  const { fresh = 0, retrying = 0 } = rows[0] ?? {};
  const max = Math.max(MIN_QUEUED, Math.ceil((perMinute / 60) * MAX_QUEUED_SECONDS));
  return retrying >= MAX_RETRYING || fresh > max / 2 ? 0 : max - fresh;
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
