import { connect, type Database } from "#core/database/connect.ts";
import { migrate } from "#core/database/migrate.ts";
import { grantRoles } from "#core/database/roles.ts";
import { requireMigratable } from "./require-schema.ts";

/** Updates the whole database: our tables, their indexes and the roles' privileges. Safe to run concurrently. */
export async function migrateAll(db: Database) {
  await requireMigratable(db);
  const applied = await migrate(db);
  return { applied, granted: await grantRoles(db) };
}

export async function migrateDatabase(url: string) {
  const db = connect(url);
  return migrateAll(db).finally(() => db.destroy());
}
