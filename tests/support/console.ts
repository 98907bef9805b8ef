import { test as base } from "@playwright/test";
import { startConsole } from "#console/start.ts";
import type { MailConfig } from "#core/config.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { migrate } from "#core/database/migrate.ts";
import { createKeys } from "#core/keys.ts";
import { type Postgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { seed } from "#tools/dev/seed/seed.ts";

export const PEOPLE = 2000;

interface ConsoleFixtures {
  postgres: Postgres;
  /** A migrated database; seeded with people unless the test wants it empty. */
  db: Database;
  isReadOnly: boolean;
  isEmpty: boolean;
  /** Off unless a test turns it on. */
  mail: MailConfig | undefined;
}

/** Each test has its own console and database, and its page has been opened by the console's link. */
export const test = base.extend<ConsoleFixtures>({
  isReadOnly: [false, { option: true }],
  isEmpty: [false, { option: true }],
  mail: [undefined, { option: true }],
  postgres: async ({ browserName: _ }, use) => {
    const postgres = await startScratchPostgres();
    await use(postgres);
    await postgres.stop();
  },
  db: async ({ isEmpty, postgres }, use) => {
    const db = connect(postgres.url);
    await migrate(db);
    if (!isEmpty) await seed(db, PEOPLE, new Date());
    await use(db);
    await db.destroy();
  },
  page: async ({ page, db, isReadOnly, mail }, use) => {
    const running = await startConsole({
      db,
      port: 0,
      keys: createKeys("the secret of a console under test"),
      actor: { name: "ada", via: "console" },
      isReadOnly,
      mail,
      invitations: mail?.invitations,
    });
    await page.goto(running.url);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await use(page);
    await running.stop();
  },
});

export { expect } from "@playwright/test";
