import { type Kysely, sql } from "kysely";

/**
 * When each nightly task last succeeded, for the metrics that alert on a missing backup or check. A table, because the
 * servers may run on other machines than the task and can't read its files.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table maintenance_runs (
      task         text primary key,
      succeeded_at timestamptz not null
    )`.execute(db);
}
