import { sql } from "kysely";
import { expect, test } from "vitest";
import { FORM_ERRORS } from "#contract/form-errors.ts";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import type { SignUpInput } from "#contract/sign-up.ts";
import { countOutdated } from "#core/members/verify-derived.ts";
import { verifyTotals } from "#core/people/totals.ts";
import { createLogger } from "#core/service/log.ts";
import { PAGE_POLICY } from "#server/http/site.ts";
import { inDays } from "#tests/support/members.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const logged: string[] = [];
const log = createLogger("trace", { write: (line) => void logged.push(line) });
const { metrics } = unlimited;
const context = useTestApp({ log, metrics, trustProxy: ["127.0.0.1"] });
const { aMember, post, press, rows } = context;
const open = (url: string) => context.app.inject(url);

async function aConfirmedMember(changes: Partial<SignUpInput> = {}): Promise<string> {
  const page = await aMember(changes);
  await press(`${page}/confirm`);
  return page;
}

const save = (page: string, details: Record<string, string>, headers = {}) => {
  const fields = { firstName: "Ada", lastName: "Lovelace", company: "", ...details };
  return press(`${page}/details`, new URLSearchParams(fields).toString(), headers);
};

test("GET and HEAD requests to every member URL change nothing", async () => {
  const page = await aMember({ newsletter: true });
  const before = await rows();
  const paths = ["", "/data", "/data.html", "/confirm", "/newsletter", "/details", "/answers", "/leave"].map(
    (path) => page + path,
  );
  for (const url of [...paths, MEMBERSHIP_PATH]) {
    await open(url);
    await context.app.inject({ method: "HEAD", url });
  }
  expect(await rows()).toEqual(before);
  expect(await context.db.selectFrom("consents").selectAll().execute()).toHaveLength(1);
});

test("member pages have the landing page's CSP, aren't cached, and send no referrer to other sites", async () => {
  const page = await aMember();
  const headers = { "content-security-policy": PAGE_POLICY, "cache-control": "no-store" };
  for (const response of [await open(page), await press(`${page}/confirm`)])
    expect(response.headers).toMatchObject({ ...headers, "referrer-policy": "no-referrer" });
  // The form that requests a link sends its referrer to our own origin.
  for (const url of [MEMBERSHIP_PATH, `${MEMBERSHIP_PATH}/nonsense`])
    expect((await open(url)).headers).toMatchObject({ ...headers, "referrer-policy": "same-origin" });
});

test("the member page shows form input only after the address is confirmed, and escapes it", async () => {
  const page = await aMember({ firstName: "<b>Buy</b>", company: "https://spam.example" });
  const before = (await open(page)).body;
  expect(before).toContain("Confirm my address");
  expect(before).not.toMatch(/Buy|spam/);
  expect(await press(`${page}/confirm`)).toMatchObject({ statusCode: 303, headers: { location: `${page}#confirmed` } });
  const after = (await open(page)).body;
  expect(after).toContain("&lt;b&gt;Buy&lt;/b&gt;");
  expect(after).not.toContain("Confirm my address");
});

test("counts each person who confirms once, for an alert", async () => {
  const confirmed = async () => (await metrics.confirmed.get()).values.map(({ value }) => value);
  const [before = 0] = await confirmed();
  const page = await aConfirmedMember();
  await press(`${page}/confirm`);
  expect(await confirmed()).toEqual([before + 1]);
});

test("a confirmed member whose address was suppressed can confirm it again, and keeps the first confirmation", async () => {
  const page = await aConfirmedMember();
  await context.db.updateTable("sign_ups").set({ suppressed_at: new Date() }).execute();
  const [before] = await rows();
  const { body } = await open(page);
  expect(body).toContain("Our emails to you are bouncing");
  expect(body).toContain(`action="${page}/confirm"`);
  for (let time = 0; time < 2; time += 1) await press(`${page}/confirm`);
  expect(await rows()).toEqual([{ ...before, suppressed_at: null, line_at: before?.joined_at }]);
  expect((await open(page)).body).not.toContain("Our emails to you are bouncing");
});

test("a member corrects name and company, and the totals follow the company", async () => {
  await post(aSignUp({ company: "Acme" }));
  const page = await aConfirmedMember({ company: "Acme" });
  const { statusCode, headers } = await save(page, { firstName: " Grace ", lastName: "Hopper", company: "Navy, Inc." });
  expect([statusCode, headers.location]).toEqual([303, `${page}#saved`]);
  const changed = { first_name: "Grace", last_name: "Hopper", company: "Navy, Inc.", company_key: "navy" };
  expect((await rows()).at(-1)).toMatchObject(changed);
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { companiesInterested: 2 } });
  expect(await countOutdated(context.db)).toMatchObject({ search_words: 0 });
  // The same company in another spelling, then none.
  await save(page, { company: "NAVY" });
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { companiesInterested: 2 } });
  await save(page, { company: " " });
  expect((await rows()).at(-1)).toMatchObject({ company: null, company_key: null });
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { companiesInterested: 1 } });
});

test("invalid details come back with the form's messages, and change nothing", async () => {
  const page = await aConfirmedMember();
  const before = await rows();
  const response = await save(page, { firstName: "<b>", company: "x".repeat(201) });
  expect(response.statusCode).toBe(400);
  expect(response.headers["content-type"]).toContain("text/html");
  expect(response.body).toContain(FORM_ERRORS["company-too-long"]);
  expect(response.body).toContain('value="&lt;b&gt;"');
  expect((await save(page, { firstName: " " })).body).toContain(FORM_ERRORS["first-name-missing"]);
  expect(await rows()).toEqual(before);
});

test("nobody's details change before their address is confirmed", async () => {
  const page = await aMember({ company: "Acme" });
  const before = await rows();
  expect((await save(page, { firstName: "Grace", company: "Navy" })).headers.location).toBe(page);
  expect(await rows()).toEqual(before);
});

test("totals and company counts stay exact while members change companies, join and leave at once", async () => {
  const companies = ["Acme", "Navy", "Globex", "Initech", ""];
  const any = () => ({ company: companies[Math.floor(Math.random() * companies.length)] ?? "" });
  const pages: string[] = [];
  for (let member = 0; member < 12; member += 1) pages.push(await aConfirmedMember(any()));
  // Each member has their own network, because changes from one network wait for each other.
  const from = (network: number) => ({ "x-forwarded-for": `10.0.${network}.1` });
  const responses = await Promise.all([
    ...pages.flatMap((page, n) => Array.from({ length: 9 }, () => save(page, any(), from(n)))),
    ...Array.from({ length: 60 }, () => post(aSignUp(any()))),
    ...pages.slice(0, 4).map((page, n) => press(`${page}/leave`, "", from(n))),
  ]);
  // A change gets a 404 if its member has already left.
  for (const { statusCode } of responses) expect([201, 303, 404]).toContain(statusCode);
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 68 } });
});

test("leaving erases the member, and their link returns 404", async () => {
  const email = "ada@example.com";
  const page = await aMember({ email, company: "Acme", newsletter: true });
  await post(aSignUp({ email, website: "autofilled" }));
  const response = await press(`${page}/leave`);
  expect(response.statusCode).toBe(303);
  expect((await open(response.headers.location ?? "")).body).toContain("We've erased your data");
  for (const table of ["sign_ups", "consents", "quarantine"] as const)
    expect(await context.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
  expect(await context.db.selectFrom("erasures").selectAll().execute()).toHaveLength(1);
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 0 } });
  expect((await open(page)).statusCode).toBe(404);
});

test.each<[string, () => Promise<string>]>([
  ["an expired link", () => aMember({ newsletter: true }, inDays(-1))],
  ["a tampered link", async () => (await aMember({ newsletter: true })).replace(/\/\d+\./, "/1.")],
  [
    "a link whose id a restored backup has given to someone else",
    async () => {
      const page = await aMember({ newsletter: true });
      await sql`update sign_ups set email = 'bob@example.com', email_key = 'bob@example.com'`.execute(context.db);
      return page;
    },
  ],
])("%s returns 404 and changes nothing", async (_what, aLink) => {
  const page = await aLink();
  const before = await rows();
  expect((await open(page)).statusCode).toBe(404);
  for (const button of ["confirm", "leave", "newsletter"])
    expect((await press(`${page}/${button}`, "wanted=no")).statusCode).toBe(404);
  expect(await rows()).toEqual(before);
});

test("if mail is off, the page of an invalid link has our address instead of a form", async () => {
  for (const url of [MEMBERSHIP_PATH, `${MEMBERSHIP_PATH}/nonsense`]) {
    const { body } = await open(url);
    expect(body).not.toContain("<form");
    expect(body).toContain("mailto:");
  }
  expect((await press(MEMBERSHIP_PATH, "email=ada@example.com")).statusCode).toBe(405);
});

test("no token is logged, even when a request fails", async () => {
  const page = await aMember();
  await press(`${page}/newsletter`, "x".repeat(20_000));
  await press(`${page}/newsletter`, "<a/>", { "content-type": "application/xml" });
  await open(`${page}%zz`);
  await context.db.pool.query("alter table consent_wordings rename to elsewhere");
  const failed = await open(page);
  expect(failed.statusCode).toBe(500);
  expect(failed.body).toContain("Something went wrong");
  await context.db.pool.query("alter table elsewhere rename to consent_wordings");
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join("\n")).not.toContain(page.split("/").at(-1)?.split(".").at(-1));
});
