import { test as base } from "@playwright/test";
import { connect, type Database } from "#core/database/connect.ts";
import { drawSlowly } from "#tests/support/backdrop.ts";
import { startBehindProxies } from "#tests/support/behind-proxies.ts";
import { watchCalls } from "#tests/support/calls.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { leaveOnSubmit, makeInsecure } from "#tests/support/visitor.ts";
import { visitor } from "#tests/support/visitors.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { type RunningSite, startSite } from "#tools/dev/running-site.ts";

interface SiteFixtures {
  /** Whether requests go through nginx; PROXIED turns this on for all tests. */
  isProxied: boolean;
  /** Whether the site sends mail. */
  hasMail: boolean;
  site: RunningSite;
  db: Database;
}

/** Each Playwright worker runs the built site on its own server and database. */
export const test = base.extend<object, SiteFixtures>({
  isProxied: [Boolean(process.env.PROXIED), { scope: "worker", option: true }],
  hasMail: [false, { scope: "worker", option: true }],
  site: [
    async ({ isProxied, hasMail }, use) => {
      const smtp = hasMail ? await startScratchSmtp() : undefined;
      const port = String(await freePort());
      const mail = smtp && { PORT: port, PUBLIC_ORIGIN: `http://127.0.0.1:${port}`, SMTP_URL: smtp.url };
      const start = (proxies: Record<string, string> = {}) =>
        startSite({
          LOG_LEVEL: "info",
          LIMIT_PER_CLIENT: "1000000",
          LIMIT_PER_ADDRESS: "1000000",
          SECRET: "the secret of a site under test, 32",
          ...mail,
          ...proxies,
        });
      const site = isProxied ? await startBehindProxies(start) : await start();
      await use(site);
      await site.stop();
      await smtp?.stop();
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
  // Checks the page's API calls at the end of every test.
  page: async ({ page, javaScriptEnabled }, use, { errors }) => {
    if (visitor()?.hasWebgl) await drawSlowly(page);
    if (visitor()?.leavesOnSubmit) await leaveOnSubmit(page);
    if (visitor()?.isInsecure) await makeInsecure(page);
    const expectNoMoreCalls = watchCalls(page);
    await use(page);
    if (javaScriptEnabled && errors.length === 0) await expectNoMoreCalls();
    // A response still in flight must not fail a test.
    await page.unrouteAll({ behavior: "ignoreErrors" });
  },
});

export { expect } from "@playwright/test";
