import { test as base } from "@playwright/test";
import { type RunningSite, startSite } from "#dev/running-site.ts";
import { connect, type Database } from "#server/database/connect.ts";

interface Running {
  site: RunningSite;
  db: Database;
}

/** What the site signs members' pages with. */
export const SECRET = "the secret of a site under test, 32";

/** Every worker has the built site on a server and a database of its own. */
export const test = base.extend<object, Running>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern; it has none.
    async ({}, use) => {
      const site = await startSite({
        LOG_LEVEL: "info",
        LIMIT_PER_CLIENT: "1000000",
        LIMIT_PER_ADDRESS: "1000000",
        SECRET,
      });
      await use(site);
      await site.stop();
    },
    { scope: "worker" },
  ],
  db: [
    async ({ site }, use) => {
      const db = connect(site.databaseUrl);
      await use(db);
      await db.destroy();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ site }, use) => use(site.origin),
});

export { expect } from "@playwright/test";
