import { test as base, expect, type Locator, type Page } from "@playwright/test";
import type { MailConfig } from "#core/config/config.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { migrate } from "#core/database/migrate.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { seed } from "#tools/dev/seed/seed.ts";
import { startAdasConsole } from "./console-parts.ts";
import { cloneDatabase, createDatabase } from "./databases.ts";

const PEOPLE = 2000;

interface ConsoleFixtures {
  databaseUrl: string;
  /** Migrated, and seeded with people unless isEmpty is set. */
  db: Database;
  isReadOnly: boolean;
  isEmpty: boolean;
  /** Mail is off unless a test turns it on. */
  mail: MailConfig | undefined;
}

interface WorkerFixtures {
  /** The URLs of two migrated databases to clone for each test, because seeding one takes seconds. */
  templates: { empty: string; seeded: string };
}

/** Each test gets its own console and database. Its page has a fake clock and was opened with the console's link. */
export const test = base.extend<ConsoleFixtures, WorkerFixtures>({
  templates: [
    async ({ browserName: _ }, use) => {
      const postgres = await startScratchPostgres();
      const empty = await createDatabase(postgres.url);
      await change(empty, migrate);
      const seeded = await cloneDatabase(empty);
      await change(seeded, (db) => seed(db, PEOPLE, new Date()));
      await use({ empty, seeded });
      await postgres.stop();
    },
    { scope: "worker" },
  ],
  isReadOnly: [false, { option: true }],
  isEmpty: [false, { option: true }],
  mail: [undefined, { option: true }],
  databaseUrl: async ({ isEmpty, templates }, use) => {
    await use(await cloneDatabase(isEmpty ? templates.empty : templates.seeded));
  },
  db: async ({ databaseUrl }, use) => change(databaseUrl, use),
  page: async ({ page, db, isReadOnly, mail }, use) => {
    const running = await startAdasConsole(db, { mail, isReadOnly });
    await page.clock.install();
    await page.goto(running.url);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await use(page);
    await running.stop();
  },
});

async function change(databaseUrl: string, work: (db: Database) => Promise<unknown>): Promise<void> {
  const db = connect(databaseUrl);
  await work(db);
  await db.destroy();
}

export const open = (page: Page, path: string) => page.goto(`${new URL(page.url()).origin}/${path}`);
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Opens this field in the menu of filters, and returns the menu. */
export async function openFilter(page: Page, field: string): Promise<Locator> {
  const menu = page.locator(".filter-menu");
  if (!(await menu.isVisible())) await button(page, "Filter").click();
  await menu
    .locator("summary")
    .filter({ hasText: new RegExp(`^${field}$`) })
    .click();
  return menu;
}

/** Advances the clock until a live view refetches. */
export const refetch = (page: Page) => page.clock.fastForward(6000);

/** Fails requests to these paths, as an outage would, until they are unrouted. */
export const fail = (page: Page, path: string, options: { times?: number } = {}) =>
  page.route(path, (route) => route.fulfill({ status: 503, json: { detail: NO_DATABASE } }), options);
export const NO_DATABASE = "Can't reach the database.";

/** Waits until the view has loaded all of its data. */
export async function untilLoaded(page: Page): Promise<void> {
  await expect(page.locator("main")).not.toContainText("Loading");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

export { expect };
