import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { MEMBERSHIP_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { COMPANY_TOO_LONG, FIRST_NAME_REQUIRED } from "#contract/sign-up.ts";
import { createKeys } from "#core/config/keys.ts";
import { memberToken } from "#core/members/links.ts";
import { verifySearchWords } from "#core/people/verify-search.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { verifyTotals } from "#core/sign-ups/totals.ts";
import { createApp } from "#server/app.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

vi.setConfig({ testTimeout: 60_000 });

const keys = createKeys("a secret of at least 32 characters");
const context = useTestDatabase();
let app: FastifyInstance;
beforeAll(async () => {
  await recordConsentWording(context.db);
  app = await createApp({ db: context.db, ...unlimited, keys });
});
afterAll(() => app.close());
beforeEach(() => emptyWaitlist(context.db));

const rows = () => context.db.selectFrom("sign_ups").selectAll().orderBy("id").execute();
const join = (company: string) =>
  app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp({ company }), remoteAddress: "192.0.2.1" });

/** Signs someone up, confirms their address and returns the path of their member page. */
async function aMember(company = "Acme", isConfirmed = true): Promise<string> {
  await join(company);
  const member = (await rows()).at(-1);
  if (!member) throw new Error("Nobody joined");
  if (isConfirmed) await sql`update sign_ups set confirmed_at = now() where id = ${member.id}`.execute(context.db);
  return `${MEMBERSHIP_PATH}/${memberToken(keys, member, new Date(Date.now() + 600_000))}`;
}

function save(page: string, details: Record<string, string>) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const payload = new URLSearchParams({ firstName: "Ada", lastName: "Lovelace", company: "", ...details }).toString();
  return app.inject({ method: "POST", url: `${page}/details`, payload, headers });
}

test("a member corrects name and company, and the totals follow the company", async () => {
  await join("Acme");
  const page = await aMember("Acme");
  const { statusCode, headers } = await save(page, { firstName: " Grace ", lastName: "Hopper", company: "Navy, Inc." });
  expect([statusCode, headers.location]).toEqual([303, `${page}#saved`]);
  expect((await rows()).at(-1)).toMatchObject({
    first_name: "Grace",
    last_name: "Hopper",
    company: "Navy, Inc.",
    company_key: "navy",
  });
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { companiesInterested: 2 } });
  expect(await verifySearchWords(context.db)).toBe(0);
  // The same company in other words, then none.
  await save(page, { company: "NAVY" });
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { companiesInterested: 2 } });
  await save(page, { company: " " });
  expect((await rows()).at(-1)).toMatchObject({ company: null, company_key: null });
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { companiesInterested: 1 } });
});

test("details that can't be saved come back with the form's messages, and change nothing", async () => {
  const page = await aMember();
  const before = await rows();
  const response = await save(page, { firstName: "<b>", lastName: "Hopper", company: "x".repeat(201) });
  expect(response.statusCode).toBe(400);
  expect(response.headers["content-type"]).toContain("text/html");
  expect(response.body).toContain(COMPANY_TOO_LONG);
  expect(response.body).toContain('value="&lt;b&gt;"');
  expect(response.body).toContain("<title>Error: ");
  expect((await save(page, { firstName: " " })).body).toContain(FIRST_NAME_REQUIRED);
  expect(await rows()).toEqual(before);
});

test("nobody's details change before their address is confirmed", async () => {
  const page = await aMember("Acme", false);
  const before = await rows();
  expect((await save(page, { firstName: "Grace", company: "Navy" })).headers.location).toBe(page);
  expect(await rows()).toEqual(before);
});

test("totals and company counts stay exact while members change companies, join and leave at once", async () => {
  const companies = ["Acme", "Navy", "Globex", "Initech", ""];
  const any = () => companies[Math.floor(Math.random() * companies.length)] ?? "";
  const pages: string[] = [];
  for (let member = 0; member < 12; member += 1) pages.push(await aMember(any()));
  const statuses = await Promise.all([
    ...pages.flatMap((page) => Array.from({ length: 12 }, () => save(page, { company: any() }))),
    ...Array.from({ length: 60 }, () => join(any())),
    ...pages.slice(0, 4).map((page) => app.inject({ method: "POST", url: `${page}/leave` })),
  ]).then((responses) => new Set(responses.map(({ statusCode }) => statusCode)));
  // 404 is a change that came after its member had left.
  for (const status of statuses) expect([200, 201, 303, 404]).toContain(status);
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 68 } });
});

test("one link can change details twenty times an hour", async () => {
  const page = await aMember();
  const statuses: number[] = [];
  for (let time = 0; time < 21; time += 1) statuses.push((await save(page, { company: `C${time}` })).statusCode);
  expect(statuses).toEqual([...Array(20).fill(303), 429]);
});

test("an invited member sees the date of the invitation", async () => {
  const page = await aMember();
  expect((await app.inject(page)).body).not.toContain("Invited");
  await sql`update sign_ups set invited_at = '2027-01-31T12:00:00Z'`.execute(context.db);
  const { body } = await app.inject(page);
  expect(body).toContain("You&#39;re invited");
  expect(body).toContain("January 31, 2027");
});
