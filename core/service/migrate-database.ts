import { connect, type Database } from "#core/database/connect.ts";
import { migrate } from "#core/database/migrate.ts";
import { grantRoles } from "#core/database/roles.ts";
import { requireMigratable } from "./require-schema.ts";

/** What changed: the migrations that were applied, and the roles that got their privileges. */
export interface Migrated {
  applied: string[];
  granted: string[];
}

/** Updates the whole database: our tables, their indexes and the roles' privileges. Safe to run concurrently. */
export async function migrateAll(db: Database): Promise<Migrated> {
  await requireMigratable(db);
  const applied = await migrate(db);
  return { applied, granted: await grantRoles(db) };
}

/** The same by URL. */
export async function migrateDatabase(url: string): Promise<Migrated> {
  const db = connect(url);
  return migrateAll(db).finally(() => db.destroy());
}
