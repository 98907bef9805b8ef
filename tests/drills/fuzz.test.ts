import { expect, test } from "vitest";
import { verifyTotals } from "#core/waitlist/totals.ts";
import { SENTINEL } from "#tests/drills/fuzz/cases.ts";
import { fuzz } from "#tests/drills/fuzz/fuzz.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
/** `npm run drill -- fuzz` sends a million. */
const CASES = Number(process.env.FUZZ_CASES ?? 20_000);

test(`${CASES.toLocaleString("en")} malformed requests cause no 5xx, no crash, no leak, and no personal data in the log`, {
  timeout: 60 * 60_000,
}, async () => {
  const { statuses, grownMb, log } = await fuzz(context.url, CASES);
  console.log(Object.fromEntries(statuses), `memory grew by ${Math.round(grownMb)} MB`);
  const errors = log.split("\n").filter((line) => line.includes('"level":50'));
  expect({ errors, statuses: [...statuses.keys()].filter((status) => status >= 500) }).toEqual({
    errors: [],
    statuses: [],
  });
  // The statuses show that the requests cover all kinds: some are accepted, most rejected for one reason or another.
  for (const status of [201, 303, 400, 413, 415]) expect(statuses.get(status)).toBeGreaterThan(0);
  expect(grownMb).toBeLessThan(50);
  const lines = log.split("\n").filter((line) => !line.includes("Server listening at"));
  expect(lines.join("\n")).not.toMatch(new RegExp(`${SENTINEL}|lovelace|example\\.com|127\\.0\\.0\\.1`, "i"));
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true });
});
