import { type Kysely, sql } from "kysely";
import type { Database } from "./connect.ts";
import type { Tables } from "./tables.ts";

export const DURABILITY_SETTINGS = ["fsync", "synchronous_commit"] as const;
export type DurabilitySetting = (typeof DURABILITY_SETTINGS)[number];

/** The settings that let PostgreSQL acknowledge a commit before it is on disk. */
export async function unsafeSettings(db: Database): Promise<DurabilitySetting[]> {
  const { rows } = await sql<{ name: DurabilitySetting }>`
    select name from pg_settings
    where name in (${sql.join(DURABILITY_SETTINGS)}) and setting not in ('on', 'remote_apply')`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * For a statement that reports a row as stored without writing anything: a message of a few bytes in the WAL, so that
 * its commit waits for synchronous standbys. A read-only one doesn't wait, and can see rows that no standby has yet.
 */
export const DURABLE = "pg_logical_emit_message(true, 'waitlist', '')";

/** Waits until everything that the transaction has read is as durable as its commit. */
export async function makeDurable(db: Kysely<Tables>): Promise<void> {
  await sql`select ${sql.raw(DURABLE)}`.execute(db);
}
