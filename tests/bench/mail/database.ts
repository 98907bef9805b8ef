import { connect, type Database } from "#core/database/connect.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

export const MAIL_ENV = { SECRET: "an example secret of 32 characters", PUBLIC_ORIGIN: "https://farwatch.example" };

/** Runs a measurement on its own migrated database. */
export async function withDatabase<Result>(run: (db: Database, url: string) => Promise<Result>): Promise<Result> {
  const postgres = await startScratchPostgres();
  const db = connect(postgres.url);
  try {
    await migrateAll(db);
    return await run(db, postgres.url);
  } finally {
    await db.destroy();
    await postgres.stop();
  }
}
