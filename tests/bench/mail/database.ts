import { connect, type Database } from "#core/database/connect.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

/** Runs a measurement on its own migrated database. */
export async function withDatabase<Result>(run: (db: Database) => Promise<Result>): Promise<Result> {
  const postgres = await startScratchPostgres();
  const db = connect(postgres.url);
  try {
    await migrateAll(db);
    return await run(db);
  } finally {
    await db.destroy();
    await postgres.stop();
  }
}
