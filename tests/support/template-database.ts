import type { TestProject } from "vitest/node";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { openPostgres } from "#tools/dev/scratch-postgres.ts";
import { createDatabase, dropDatabase } from "./databases.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A migrated database without connections. Cloning it is faster than running the migrations again. */
    templateUrl: string;
  }
}

/** Runs once per test project: starts PostgreSQL and creates the template database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await openPostgres();
  const templateUrl = await createDatabase(postgres.url);
  await migrateDatabase(templateUrl);
  project.provide("templateUrl", templateUrl);
  return async () => {
    await dropDatabase(templateUrl);
    await postgres.stop();
  };
}
