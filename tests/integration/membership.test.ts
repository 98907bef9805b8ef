import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MEMBERSHIP_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { NEWSLETTER_CONSENT, type SignUp } from "#contract/sign-up.ts";
import { createKeys } from "#core/config/keys.ts";
import { createLogger } from "#core/service/log.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { verifyTotals } from "#core/sign-ups/totals.ts";
import { createApp } from "#server/app.ts";
import { PAGE_POLICY } from "#server/http/security-headers.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { inDays, joinAsMember, SECRET } from "#tests/support/members.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useTestDatabase();
let app: FastifyInstance;
const logged: string[] = [];
beforeAll(async () => {
  const log = createLogger("trace", { write: (line) => void logged.push(line) });
  app = await createApp({ db: context.db, ...unlimited, log, keys: createKeys(SECRET) });
  await recordConsentWording(context.db);
});
afterAll(() => app.close());
beforeEach(() => emptyWaitlist(context.db));

const rows = () => context.db.selectFrom("sign_ups").selectAll().execute();
const aMember = (changes?: Partial<SignUp>, expiresAt?: Date) =>
  joinAsMember({ app, db: context.db }, changes, expiresAt);
const press = (url: string, body = "", type = "application/x-www-form-urlencoded") =>
  app.inject({ method: "POST", url, payload: body, headers: { "content-type": type } });

test("GET and HEAD requests to every member URL change nothing", async () => {
  const page = await aMember({ newsletter: true });
  const before = await rows();
  for (const url of [
    page,
    `${page}/data`,
    `${page}/confirm`,
    `${page}/newsletter`,
    `${page}/details`,
    `${page}/leave`,
    MEMBERSHIP_PATH,
  ]) {
    await app.inject(url);
    await app.inject({ method: "HEAD", url });
  }
  expect(await rows()).toEqual(before);
  expect(await context.db.selectFrom("consents").selectAll().execute()).toHaveLength(1);
});

test("the member page has the landing page's CSP, Cache-Control: no-store and Referrer-Policy: no-referrer", async () => {
  const page = await aMember();
  for (const response of [await app.inject(page), await press(`${page}/confirm`)]) {
    expect(response.headers).toMatchObject({
      "content-security-policy": PAGE_POLICY,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
  }
});

test("pages with the form that requests a link send their own origin with it, and nothing to other sites", async () => {
  for (const url of [MEMBERSHIP_PATH, `${MEMBERSHIP_PATH}/nonsense`]) {
    expect((await app.inject(url)).headers).toMatchObject({
      "content-security-policy": PAGE_POLICY,
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
    });
  }
});

test("the member page shows form input only after the address is confirmed, and escapes it", async () => {
  const page = await aMember({ firstName: "<b>Buy</b>", company: "https://spam.example" });
  const before = (await app.inject(page)).body;
  expect(before).toContain("Confirm my address");
  expect(before).not.toMatch(/Buy|spam/);
  expect(await press(`${page}/confirm`)).toMatchObject({ statusCode: 303, headers: { location: page } });
  const after = (await app.inject(page)).body;
  expect(after).toContain("&lt;b&gt;Buy&lt;/b&gt;");
  expect(after).not.toContain("Confirm my address");
  const [row] = await rows();
  await press(`${page}/confirm`);
  expect((await rows())[0]?.confirmed_at).toEqual(row?.confirmed_at);
});

test("a confirmed member whose address was rejected can confirm it again, and keeps the first confirmation", async () => {
  const page = await aMember();
  await press(`${page}/confirm`);
  expect((await app.inject(page)).body).not.toContain("Confirm my address");
  await context.db.updateTable("sign_ups").set({ rejected_at: new Date() }).execute();
  const [before] = await rows();
  const { body } = await app.inject(page);
  expect(body).toContain("Our emails to you come back");
  expect(body).toContain(`action="${page}/confirm"`);
  await press(`${page}/confirm`);
  expect(await rows()).toEqual([{ ...before, rejected_at: null }]);
  expect((await app.inject(page)).body).not.toContain("Our emails to you come back");
});

test("members can download all the data held about them", async () => {
  const page = await aMember({ newsletter: true, company: "Acme" });
  const response = await app.inject(`${page}/data`);
  expect(response.headers["content-disposition"]).toMatch(/^attachment/);
  expect(response.json()).toEqual({
    "Your sign-up": expect.objectContaining({
      "First name": "Ada",
      Company: "Acme",
      "Subscribed to product news": true,
      "Email address confirmed": null,
    }),
    "Your choices about product news": [
      {
        Agreed: true,
        When: expect.any(String),
        "To what": NEWSLETTER_CONSENT.wording,
        "Version of the wording": NEWSLETTER_CONSENT.version,
      },
    ],
    "Emails to you": [],
    "Your mailbox": null,
    "Forms held for review because they looked automated": [],
  });
});

test("the download has every stored column, and names none of them like a column", async () => {
  const page = await aMember({ company: "Acme" });
  const file = (await app.inject(`${page}/data`)).json();
  const [row] = await rows();
  expect(Object.keys(file["Your sign-up"])).toHaveLength(Object.keys(row ?? {}).length);
  expect(JSON.stringify(file)).not.toMatch(/"[a-z]+_[a-z_]+":/);
});

test("the member page asks once more before it erases, without JavaScript", async () => {
  const body = (await app.inject(await aMember())).body;
  const question = /<details>[\s\S]*<\/details>/.exec(body)?.[0];
  expect(question).toContain("Erase everything?");
  expect(question).toContain('/leave">');
  expect(body.replace(question ?? "", "")).not.toContain('/leave">');
});

test("leaving erases the member, and their link returns 404", async () => {
  const email = "ada@example.com";
  const page = await aMember({ email, company: "Acme", newsletter: true });
  await app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp({ email, website: "autofilled" }) });
  const response = await press(`${page}/leave`);
  expect(response.statusCode).toBe(200);
  expect(response.body).toContain("We've erased your data");
  for (const [table, left] of [
    ["sign_ups", 0],
    ["consents", 0],
    ["quarantine", 0],
    ["erasures", 1],
  ] as const) {
    expect(await context.db.selectFrom(table).selectAll().execute(), table).toHaveLength(left);
  }
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 0 } });
  expect((await app.inject(page)).statusCode).toBe(404);
});

test("an expired or tampered link returns 404 and changes nothing", async () => {
  const expired = await aMember({ newsletter: true }, inDays(-1));
  const forged = expired.replace(/\/\d+\./, "/1.");
  for (const page of [expired, forged]) {
    expect((await app.inject(page)).statusCode).toBe(404);
    for (const button of ["confirm", "leave", "unsubscribe"])
      expect((await press(`${page}/${button}`)).statusCode).toBe(404);
  }
  expect(await rows()).toMatchObject([{ newsletter: true, confirmed_at: null }]);
});

test("a link returns 404 after a restored backup has given its id to someone else", async () => {
  const page = await aMember();
  await sql`update sign_ups set email = 'bob@example.com', email_key = 'bob@example.com'`.execute(context.db);
  expect((await app.inject(page)).statusCode).toBe(404);
  expect((await press(`${page}/leave`)).statusCode).toBe(404);
  expect(await rows()).toHaveLength(1);
});

test("the page of a link that doesn't work has no form without mail, and names our address instead", async () => {
  for (const url of [MEMBERSHIP_PATH, `${MEMBERSHIP_PATH}/nonsense`]) {
    const { body } = await app.inject(url);
    expect(body).not.toContain("<form");
    expect(body).toContain("mailto:");
  }
  expect((await press(MEMBERSHIP_PATH, "email=ada@example.com")).statusCode).toBe(405);
});

test("a wrong method on a member path is 405 with the methods that are right", async () => {
  const page = await aMember();
  for (const [path, allow] of [
    [page, "GET, HEAD"],
    [`${page}/leave`, "POST"],
  ] as const) {
    expect(await app.inject({ method: "PUT", url: path })).toMatchObject({ statusCode: 405, headers: { allow } });
  }
  expect((await app.inject({ method: "PUT", url: `${page}/nothing` })).statusCode).toBe(404);
});

test("no token is logged, even when a request fails", async () => {
  const page = await aMember();
  await press(`${page}/newsletter`, "x".repeat(20_000));
  await press(`${page}/newsletter`, "<a/>", "application/xml");
  await app.inject(`${page}%zz`);
  await context.db.pool.query("alter table consent_wordings rename to elsewhere");
  const failed = await app.inject(page);
  expect(failed.statusCode).toBe(500);
  expect(failed.body).toContain("Something went wrong");
  await context.db.pool.query("alter table elsewhere rename to consent_wordings");
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join("\n")).not.toContain(page.split("/").at(-1)?.split(".").at(-1));
});
