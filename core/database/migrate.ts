import { sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import type { Database } from "./connect.ts";
import { up as firstRelease } from "./migrations/2026-11-first-release.ts";
import { up as friendsAtMidnight } from "./migrations/2026-11-friends-at-midnight.ts";
import { up as mailSwitch } from "./migrations/2026-11-mail-switch.ts";
import { up as newHooks } from "./migrations/2026-11-new-hooks.ts";
import { up as subjectsOfTheDay } from "./migrations/2026-11-subjects-of-the-day.ts";
import { up as views } from "./migrations/2026-11-views.ts";
import { up as accepted } from "./migrations/2026-12-accepted.ts";
import { up as friendsBefore } from "./migrations/2026-12-friends-before.ts";
import { up as reminder } from "./migrations/2026-12-reminder.ts";
import { up as survey } from "./migrations/2026-12-survey.ts";
import { up as swept } from "./migrations/2026-12-swept.ts";
import { up as unsubscribed } from "./migrations/2026-12-unsubscribed.ts";
import { up as withdrawnImports } from "./migrations/2026-12-withdrawn-imports.ts";

/** Sorted by name. Forward only: a mistake is fixed by another migration. */
const migrations: Record<string, Migration> = {
  "2026-11-first-release": { up: firstRelease },
  "2026-11-friends-at-midnight": { up: friendsAtMidnight },
  "2026-11-mail-switch": { up: mailSwitch },
  "2026-11-new-hooks": { up: newHooks },
  "2026-11-subjects-of-the-day": { up: subjectsOfTheDay },
  "2026-11-views": { up: views },
  "2026-12-accepted": { up: accepted },
  "2026-12-friends-before": { up: friendsBefore },
  "2026-12-reminder": { up: reminder },
  "2026-12-survey": { up: survey },
  "2026-12-swept": { up: swept },
  "2026-12-unsubscribed": { up: unsubscribed },
  "2026-12-withdrawn-imports": { up: withdrawnImports },
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
