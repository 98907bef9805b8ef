import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyTotals } from "#core/sign-ups/totals.ts";
import { type Request, runLoad } from "#tests/support/load.ts";
import { postSignUp } from "#tests/support/requests.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";

const ATTEMPTS = 100_000;
const PEOPLE = 70_000;

const context = useTestDatabase();
let servers: RunningServer[] = [];
beforeAll(async () => {
  const env = { DATABASE_URL: context.url, LIMIT_PER_CLIENT: "1000000", LIMIT_PER_ADDRESS: "1000000" };
  servers = await Promise.all([startServer(env), startServer(env)]);
});
afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** The statuses each person got. */
const ledger: number[][] = Array.from({ length: PEOPLE }, () => []);

/** Everyone signs up once and three in seven a second time; repeats and every second sign-up are in upper case. */
function attempt(number: number): Request {
  const person = (number * 7919) % PEOPLE;
  const address = `visitor.${person}@example.com`;
  const email = number >= PEOPLE || number % 2 ? address.toUpperCase() : address;
  return {
    wire: postSignUp(aSignUp({ email, company: `Company ${person % 3000}` })),
    onResponse: (status) => ledger[person]?.push(status),
  };
}

test("two servers accept each of 70,000 people exactly once among 100,000 sign-ups", async () => {
  // Sorted so that a person's two sign-ups are close together, often in the same batch or on the other server.
  const order = Array.from({ length: ATTEMPTS }, (_, i) => i).sort((a, b) => (a % PEOPLE) - (b % PEOPLE));
  const { statuses } = await runLoad({
    ports: servers.map(({ origin }) => Number(new URL(origin).port)),
    connections: 64,
    next: () => {
      const number = order.pop();
      return number === undefined ? undefined : attempt(number);
    },
  });
  expect(statuses).toEqual(
    new Map([
      [201, PEOPLE],
      [409, ATTEMPTS - PEOPLE],
    ]),
  );
  for (const received of ledger) expect(received.filter((status) => status === 201)).toHaveLength(1);
  expect(await verifyTotals(context.db)).toEqual({
    kept: { totalUsers: PEOPLE, companiesInterested: 3000 },
    counted: { totalUsers: PEOPLE, companiesInterested: 3000 },
    wrongCompanies: 0,
    exact: true,
  });
}, 120_000);
