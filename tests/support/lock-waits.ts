import { expect } from "vitest";
import type { Database } from "#core/database/connect.ts";

/** Resolves when a statement in this database is blocked by a lock. */
export async function untilBlocked(db: Database): Promise<void> {
  const blocked = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  // Less than the ten idle seconds after which PostgreSQL ends the test's transaction.
  await expect.poll(async () => (await db.pool.query(blocked)).rowCount, { timeout: 5000 }).toBeGreaterThan(0);
}
