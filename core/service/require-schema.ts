import { StartupError } from "#core/config/startup-error.ts";
import type { Database } from "#core/database/connect.ts";
import { compareSchema } from "#core/database/migrate.ts";

/**
 * Refuses to run a program on a schema that is older than its code or has unknown migrations. A newer schema is fine:
 * migrations only add, so that the previous release can run again.
 */
export async function requireSchema(db: Database, program: string): Promise<void> {
  const { missing, foreign } = await compareSchema(db);
  if (foreign.length > 0) throw new StartupError(`This ${program} can't start: ${describeUnknown(foreign)}`);
  if (missing.length > 0) {
    throw new StartupError(
      `The schema is older than this ${program}: ${missing.join(", ")} missing. Run: npx waitlist migrate`,
    );
  }
}

/** Refuses to migrate a database that has migrations of another release. */
export async function requireMigratable(db: Database): Promise<void> {
  const { foreign, newer } = await compareSchema(db);
  const unknown = [...foreign, ...newer];
  if (unknown.length > 0) throw new StartupError(`Can't migrate: ${describeUnknown(unknown)}`);
}

function describeUnknown(unknown: string[]): string {
  return `the database has migrations that this release doesn't know (${unknown.join(", ")}). Use the release that created it, or an empty database.`;
}
