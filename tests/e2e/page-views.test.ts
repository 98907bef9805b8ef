import { startBehindProxies } from "#tests/support/behind-proxies.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { expect, test } from "./fixtures.ts";

test.use({ isProxied: true });

test("through nginx, a browser's visits and reloads are counted, but not its scripts' requests", async ({
  page,
  site,
  db,
}) => {
  const server = await startBehindProxies((env) => startServer({ ...env, DATABASE_URL: site.databaseUrl }));
  try {
    await page.goto(`${server.origin}/?utm_source=linkedin&utm_campaign=launch`);
    await page.reload();
    await page.goto(server.origin);
    await page.evaluate(() => fetch("/"));
  } finally {
    await server.stop();
  }
  const rows = await db.selectFrom("page_views").selectAll().orderBy("source").execute();
  const campaign = { source: "linkedin", medium: "", campaign: "launch" };
  expect(rows.map(({ hour: _, ...row }) => row)).toEqual([
    { source: "", medium: "", campaign: "", is_other: false, views: 1, is_partial: false },
    { ...campaign, is_other: false, views: 2, is_partial: false },
  ]);
});
