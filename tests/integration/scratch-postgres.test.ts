import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { packagedBinaries } from "#tools/dev/postgres-binaries.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

test("a machine without PostgreSQL runs the one from npm, which leaves no files behind", async () => {
  let folder = "";
  const postgres = await startScratchPostgres({
    binariesFor(scratch) {
      folder = scratch;
      return packagedBinaries(scratch);
    },
  });
  expect((await migrateDatabase(postgres.url)).applied).toContain("2026-11-first-release");
  await postgres.stop();
  expect(existsSync(folder)).toBe(false);
}, 30_000);
