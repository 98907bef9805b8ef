import { type Migration, Migrator } from "kysely/migration";
import type { Database } from "./connect.ts";
import { up as waitlist } from "./migrations/0001-waitlist.ts";
import { up as launchSpike } from "./migrations/0002-launch-spike.ts";
import { up as operators } from "./migrations/0003-operators.ts";
import { up as mail } from "./migrations/0004-mail.ts";
import { up as waves } from "./migrations/0005-waves.ts";
import { up as mailLimits } from "./migrations/0006-mail-limits.ts";
import { up as erasePerson } from "./migrations/0007-erase-person.ts";
import { up as messages } from "./migrations/0008-messages.ts";
import { up as maintenanceRuns } from "./migrations/0009-maintenance-runs.ts";
import { up as activity } from "./migrations/0010-activity.ts";
import { up as rollups } from "./migrations/0011-rollups.ts";
import { up as filterStatistics } from "./migrations/0012-filter-statistics.ts";
import { up as waveIds } from "./migrations/0013-wave-ids.ts";

/** Forward only: the next migration fixes a mistake. */
const migrations: Record<string, Migration> = {
  "0001-waitlist": { up: waitlist },
  "0002-launch-spike": { up: launchSpike },
  "0003-operators": { up: operators },
  "0004-mail": { up: mail },
  "0005-waves": { up: waves },
  "0006-mail-limits": { up: mailLimits },
  "0007-erase-person": { up: erasePerson },
  "0008-messages": { up: messages },
  "0009-maintenance-runs": { up: maintenanceRuns },
  "0010-activity": { up: activity },
  "0011-rollups": { up: rollups },
  "0012-filter-statistics": { up: filterStatistics },
  "0013-wave-ids": { up: waveIds },
};

function migrator(db: Database): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/**
 * Migrates to the latest schema and returns what it applied. Each migration commits on its own, because a new column
 * locks out sign-ups until then. Safe to run concurrently: Kysely takes a lock.
 */
export async function migrate(db: Database): Promise<string[]> {
  const applied: string[] = [];
  for (;;) {
    const { error, results = [] } = await migrator(db).migrateUp();
    if (error) throw error;
    if (results.length === 0) return applied;
    applied.push(...results.map(({ migrationName }) => migrationName));
  }
}

/** The migrations that this code needs and the database doesn't have. A schema newer than the code is fine. */
export async function missingMigrations(db: Database): Promise<string[]> {
  const known = await migrator(db).getMigrations();
  return known.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
}
