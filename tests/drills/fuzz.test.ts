import { expect, test } from "vitest";
import { MEMBERSHIP_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { verifyTotals } from "#core/sign-ups/totals.ts";
import { createApp } from "#server/app.ts";
import { loadSite } from "#server/http/site.ts";
import { SENTINEL } from "#tests/drills/fuzz/cases.ts";
import { fuzz } from "#tests/drills/fuzz/fuzz.ts";
import { FORM, MULTIPART, type Route } from "#tests/drills/fuzz/route-cases.ts";
import { withRouteTable } from "#tests/support/route-table.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useTestDatabase();
/** `npm run drill -- fuzz` sends a million. */
const CASES = Number(process.env.FUZZ_CASES ?? 20_000);

/** Every route of the app, member pages and the built site's files included. */
async function readRoutes(): Promise<Route[]> {
  const keys = createKeys("a secret of at least 32 characters");
  const invitations = { url: "https://app.example", issuer: "https://list.example", lifetimeDays: 30, keys };
  const parts = { db: context.db, ...unlimited, keys, invitations, isMailed: true, site: loadSite("dist") };
  const { app, routes } = await withRouteTable(() => createApp(parts));
  await app.close();
  return routes.flatMap(({ method, url }) => [method].flat().map((each) => ({ method: each, url })));
}

test(`${CASES.toLocaleString("en")} malformed requests cause no 5xx, no crash, no leak, and no personal data in the log`, {
  timeout: 60 * 60_000,
}, async () => {
  const routes = await readRoutes();
  const { statuses, byRoute, grownMb, log } = await fuzz(context.db, context.url, routes, CASES);
  console.log(Object.fromEntries(statuses), `memory grew by ${Math.round(grownMb)} MB`);
  const errors = log.split("\n").filter((line) => line.includes('"level":50'));
  expect({ errors, statuses: [...statuses.keys()].filter((status) => status >= 500) }).toEqual({
    errors: [],
    statuses: [],
  });
  // The statuses show that the requests cover all kinds: some are accepted, most rejected for one reason or another.
  for (const status of [200, 201, 303, 400, 404, 405, 413, 415]) expect(statuses.get(status)).toBeGreaterThan(0);
  // A route that only ever responds 404 or 405 was never reached.
  const misses = new Set([404, 405]);
  const unreached = routes.filter(({ method, url }) => !byRoute.get(`${method} ${url}`)?.difference(misses).size);
  expect(unreached).toEqual([]);
  for (const type of [FORM, MULTIPART]) {
    expect(byRoute.get(`POST ${UNSUBSCRIBE_PATH}/:token ${type}`)).toContain(200);
  }
  expect(grownMb).toBeLessThan(50);
  const lines = log.split("\n").filter((line) => !line.includes("Server listening at"));
  expect(lines.join("\n")).not.toMatch(
    new RegExp(`${SENTINEL}|lovelace|example\\.com|127\\.0\\.0\\.1|${MEMBERSHIP_PATH}/`, "i"),
  );
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true });
});
