import { afterAll, beforeAll, inject } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { cloneDatabase, dropDatabase } from "./databases.ts";

/** A migrated database for one test file, which no other file uses. */
export function useTestDatabase(): { url: string; db: Database } {
  const context = {} as { url: string; db: Database };
  beforeAll(async () => {
    context.url = await cloneDatabase(inject("templateUrl"));
    context.db = connect(context.url);
  });
  afterAll(async () => {
    await context.db.destroy();
    await dropDatabase(context.url);
  });
  return context;
}
