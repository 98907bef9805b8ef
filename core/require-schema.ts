import type { Database } from "#core/database/connect.ts";
import { missingMigrations } from "#core/database/migrate.ts";
import { StartupError } from "./startup-error.ts";

/** Refuses to run a program on a schema older than its code. */
export async function requireSchema(db: Database, program: string): Promise<void> {
  const missing = await missingMigrations(db);
  if (missing.length > 0) {
    throw new StartupError(
      `The schema is older than this ${program}: ${missing.join(", ")} missing. Run: npm run migrate`,
    );
  }
}
