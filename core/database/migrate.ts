import { sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import type { Database } from "./connect.ts";
import { up as firstRelease } from "./migrations/0001-first-release.ts";

/** Names begin with a number that only grows, and sort by it. Forward only: a mistake is fixed by another migration. */
const migrations: Record<string, Migration> = {
  "0001-first-release": { up: firstRelease },
};

/**
 * Migrates to the latest schema and returns the migrations it applied. Each commits separately, because a new column
 * blocks sign-ups until its commit. Safe to run concurrently: Kysely takes a lock.
 */
export async function migrate(db: Database): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const applied: string[] = [];
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp();
    if (error) throw error;
    if (results.length === 0) return applied;
    applied.push(...results.map(({ migrationName }) => migrationName));
  }
}

/** The names of migrations that only the code or only the database has. */
export async function compareSchema(db: Database) {
  const known = Object.keys(migrations);
  const applied = await readApplied(db);
  const unknown = applied.filter((name) => !known.includes(name));
  const isNewer = (name: string) => name > (known.at(-1) ?? "");
  return {
    missing: known.filter((name) => !applied.includes(name)),
    /** Unknown migrations that sort after ours are from a later release. */
    newer: unknown.filter(isNewer),
    foreign: unknown.filter((name) => !isNewer(name)),
  };
}

async function readApplied(db: Database): Promise<string[]> {
  const table = await sql`select where to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null`.execute(db);
  if (table.rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
