import { test as base } from "@playwright/test";
import { connect, type Database } from "#core/database/connect.ts";
import { startBehindProxies } from "#tests/support/behind-proxies.ts";
import { type RunningSite, startSite } from "#tools/dev/running-site.ts";

interface SiteFixtures {
  /** Whether requests go through nginx and HAProxy; PROXIED turns this on for all tests. */
  isProxied: boolean;
  site: RunningSite;
  db: Database;
}

/** Each Playwright worker runs the built site on its own server and database. */
export const test = base.extend<object, SiteFixtures>({
  isProxied: [Boolean(process.env.PROXIED), { scope: "worker", option: true }],
  site: [
    async ({ isProxied }, use) => {
      const start = (proxies: Record<string, string> = {}) =>
        startSite({
          LOG_LEVEL: "info",
          LIMIT_PER_CLIENT: "1000000",
          LIMIT_PER_ADDRESS: "1000000",
          SECRET: "the secret of a site under test, 32",
          ...proxies,
        });
      const site = isProxied ? await startBehindProxies(start) : await start();
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
  // nginx has a self-signed certificate.
  ignoreHTTPSErrors: async ({ isProxied }, use) => use(isProxied),
});

export { expect } from "@playwright/test";
