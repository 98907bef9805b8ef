import { test as base } from "@playwright/test";
import { startConsole } from "#console/start.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { migrate } from "#core/database/migrate.ts";
import { createKeys } from "#core/keys.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { seed } from "#tools/dev/seed/seed.ts";

export const PEOPLE = 2000;

interface ConsoleFixtures {
  /** A migrated database; seeded with people unless the test wants it empty. */
  db: Database;
  isReadOnly: boolean;
  isEmpty: boolean;
}

/** Each test has its own console and database, and its page has been opened by the console's link. */
export const test = base.extend<ConsoleFixtures>({
  isReadOnly: [false, { option: true }],
  isEmpty: [false, { option: true }],
  db: async ({ isEmpty }, use) => {
    const postgres = await startScratchPostgres();
    const db = connect(postgres.url);
    await migrate(db);
    if (!isEmpty) await seed(db, PEOPLE, new Date());
    await use(db);
    await db.destroy();
    await postgres.stop();
  },
  page: async ({ page, db, isReadOnly }, use) => {
    const running = await startConsole({
      db,
      port: 0,
      keys: createKeys("the secret of a console under test"),
      actor: { name: "ada", via: "console" },
      isReadOnly,
      isMailed: false,
    });
    await page.goto(running.url);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await use(page);
    await running.stop();
  },
});

export { expect } from "@playwright/test";
