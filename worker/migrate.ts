import { connect, type Database } from "#core/database/connect.ts";
import { buildIndexes } from "#core/database/indexes.ts";
import { migrate } from "#core/database/migrate.ts";
import { requireMigratable } from "#core/require-schema.ts";
import { grantRoles } from "#core/roles.ts";

/** What changed: the migrations that were applied, the indexes built, and the roles that got their privileges. */
export interface Migrated {
  applied: string[];
  indexed: string[];
  granted: string[];
}

/** Updates the whole database: our tables, their indexes and the roles' privileges. Safe to run concurrently. */
export async function migrateAll(db: Database): Promise<Migrated> {
  await requireMigratable(db);
  const applied = await migrate(db);
  const granted = await grantRoles(db);
  // Last, because it may take minutes, and nothing waits for it.
  return { applied, granted, indexed: await buildIndexes(db) };
}

/** The same by URL. */
export async function migrateDatabase(url: string): Promise<Migrated> {
  const db = connect(url);
  return migrateAll(db).finally(() => db.destroy());
}
