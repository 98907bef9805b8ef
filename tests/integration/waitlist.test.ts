import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { ALREADY_JOINED, IDEMPOTENCY_KEY_HEADER, type SignUp } from "#contract/sign-up.ts";
import { readTotals } from "#core/people/totals.ts";
import { quarantineDomain } from "#core/sign-ups/quarantined-domains.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp();
const { post, press, rows } = context;
const totals = () => readTotals(context.db.pool);
const quarantined = () => context.db.selectFrom("quarantine").selectAll().orderBy("id").execute();

test("stores a sign-up as typed and counts it", async () => {
  const ada = aSignUp({ email: "Ada@Example.com", company: "Acme, Inc.", newsletter: true });
  const response = await post(ada);
  expect(response.statusCode).toBe(201);
  expect(response.json()).toEqual({ data: { totalUsers: 1, companiesInterested: 1 } });
  expect(await totals()).toEqual({ totalUsers: 1, companiesInterested: 1 });
  const names = { first_name: "Ada", last_name: "Lovelace", newsletter: true };
  const company = { company: "Acme, Inc.", company_key: "acme" };
  expect(await rows()).toMatchObject([
    { email: "Ada@Example.com", email_key: "ada@example.com", ...names, ...company },
  ]);
});

test("rejects a duplicate address in different case and in Punycode", async () => {
  await post(aSignUp({ email: "ada@bücher.example" }));
  const response = await post(aSignUp({ email: "ADA@xn--bcher-kva.EXAMPLE" }));
  expect(response.statusCode).toBe(409);
  expect(response.headers["content-type"]).toMatch("application/problem+json");
  expect(response.body).toContain(ALREADY_JOINED);
  expect(await totals()).toMatchObject({ totalUsers: 1 });
});

test("counts a company once across spellings and concurrent sign-ups", async () => {
  const names = ["Acme", "ACME Inc.", "acme gmbh", "Ａｃｍｅ", "n/a", "", "Umbrella"];
  await Promise.all(names.map((company) => post(aSignUp({ company }))));
  await post(aSignUp({ company: "acme" }));
  expect(await totals()).toEqual({ totalUsers: 8, companiesInterested: 2 });
});

test("the stats may be cached for a second, or for a day while the database is down", async () => {
  expect((await context.app.inject(STATS_PATH)).headers).toMatchObject({
    "cache-control": "public, max-age=1, stale-while-revalidate=10, stale-if-error=86400",
    "content-type": "application/json; charset=utf-8",
  });
});

describe("a filled honeypot", () => {
  const botFrom = (remoteAddress: string, website = "https://spam.example") =>
    context.app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp({ website }), remoteAddress });
  const fill = (entries: number) =>
    sql`
      insert into quarantine (email_key, email, first_name, last_name, newsletter, website)
      select n::text, n::text, 'a', 'b', false, 'x' from generate_series(1, ${entries}) as n`.execute(context.db);
  const caught = async () => (await quarantined()).filter(({ website }) => website !== "x");

  test("looks like a success but goes into quarantine and isn't counted", async () => {
    const bot = aSignUp({ website: "https://spam.example", company: "Spam" });
    const response = await post(bot);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({ data: { totalUsers: 0, companiesInterested: 0 } });
    expect(await rows()).toEqual([]);
    expect(await quarantined()).toMatchObject([{ email: bot.email, website: "https://spam.example" }]);
  });

  test("doesn't reveal that an address is on the list", async () => {
    const ada = aSignUp();
    await post(ada);
    expect((await post({ ...ada, website: "x" })).statusCode).toBe(201);
  });

  test("doesn't reveal that an idempotency key belongs to a sign-up with other content", async () => {
    const headers = { [IDEMPOTENCY_KEY_HEADER]: "a".repeat(32) };
    const ada = aSignUp();
    await post(ada, headers);
    const [known, unknown] = await Promise.all([
      post({ ...ada, firstName: "Grace", website: "x" }, headers),
      post(aSignUp({ website: "x" }), headers),
    ]);
    expect([known.statusCode, known.body]).toEqual([201, unknown.body]);
    expect({ ...known.headers, date: "" }).toEqual({ ...unknown.headers, date: "" });
  });

  test("past ten an hour, a client's entries are kept only while there is room, with the same response", async () => {
    await fill(9_985);
    const [first, ...others] = await Array.fromAsync(Array(30), () => botFrom("198.51.100.1"));
    for (const { statusCode, body, headers } of others) {
      expect([statusCode, body]).toEqual([201, first?.body]);
      expect({ ...headers, date: "" }).toEqual({ ...first?.headers, date: "" });
    }
    expect([(await caught()).length, (await quarantined()).length]).toEqual([15, 10_000]);
    expect((await botFrom("198.51.100.1", "")).statusCode).toBe(201);
    for (let time = 0; time < 12; time += 1) await botFrom("203.0.113.1");
    expect([(await caught()).length, (await quarantined()).length]).toEqual([25, 10_000]);
    // A new entry must not lock all 10,000 entries.
    expect((await sql`select from quarantine where xmax <> 0`.execute(context.db)).rows).toEqual([]);
  });

  test("a new server knows the quarantined domains from its first sign-up on, and limits them like the honeypot", async () => {
    await quarantineDomain(context.db, OPERATOR, "flood.test", 7);
    const app = await context.openApp();
    await fill(9_995);
    for (let time = 0; time < 12; time += 1) {
      const payload = aSignUp({ email: `x${time}@flood.test`, website: time % 2 ? "" : "y" });
      expect((await app.inject({ method: "POST", url: WAITLIST_PATH, payload })).statusCode).toBe(201);
    }
    expect(await rows()).toEqual([]);
    expect([(await caught()).length, (await quarantined()).length]).toEqual([10, 10_000]);
  });

  test("an address has one entry, its first, even if two servers store it concurrently", async () => {
    const bot = (firstName: string) => post(aSignUp({ email: "ada@example.com", firstName, website: "x" }));
    await bot("Grace");
    const other = await context.openApp();
    const emails = Array.from({ length: 100 }, (_, number) => `x${number % 50}@example.com`);
    const inject = (app: typeof other, email: string) =>
      app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp({ email, website: "x" }) });
    const responses = await Promise.all([
      bot("Eve"),
      ...emails.map((email) => inject(context.app, email)),
      ...emails.toReversed().map((email) => inject(other, email)),
    ]);
    expect(new Set(responses.map(({ statusCode, body }) => statusCode + body)).size).toBe(1);
    expect(await quarantined()).toHaveLength(51);
    expect(await quarantined()).toContainEqual(
      expect.objectContaining({ email: "ada@example.com", first_name: "Grace" }),
    );
  });

  test("is kept up to its first 200 characters, and among the newest 10,000 entries", async () => {
    await fill(10_005);
    await botFrom("198.51.100.3", "🪤".repeat(2000));
    const entries = await quarantined();
    expect(entries).toHaveLength(10_000);
    expect([entries[0]?.email, entries.at(-2)?.email]).toEqual(["7", "10005"]);
    expect(entries.at(-1)?.website).toBe("🪤".repeat(200));
  });
});

describe("a form posted without JavaScript", () => {
  /** Sends what a browser does: every text field, and the checkbox only if it is checked. */
  const submit = ({ newsletter, ...fields }: SignUp) =>
    press(WAITLIST_PATH, new URLSearchParams({ ...fields, ...(newsletter && { newsletter: "on" }) }).toString());

  test("a form posted without JavaScript adds the person and redirects to the page", async () => {
    const response = await submit(aSignUp({ firstName: "Zoë & Co", newsletter: true }));
    expect([response.statusCode, response.headers.location, response.body]).toEqual([303, "/#joined", ""]);
    expect(await rows()).toMatchObject([{ first_name: "Zoë & Co", newsletter: true }]);
  });

  test("an unchecked newsletter box is stored as no consent", async () => {
    await submit(aSignUp());
    expect(await rows()).toMatchObject([{ newsletter: false }]);
  });

  test.each([
    [{ email: "ada@example.com" }, "already-joined"],
    [{ website: "x" }, "joined"],
    [{ lastName: "" }, "last-name-missing"],
    [{ firstName: "", email: "nobody" }, "first-name-missing"],
    [{ lastName: "A\u0000da" }, "last-name-unusable"],
    [{ company: "x".repeat(201) }, "company-too-long"],
    [{ website: "x".repeat(2001) }, "not-joined"],
  ])("with %j redirects to #%s", async (changes, fragment) => {
    await post(aSignUp({ email: "ada@example.com" }));
    const { statusCode, headers } = await submit(aSignUp(changes));
    expect([statusCode, headers.location]).toEqual([303, `/#${fragment}`]);
  });

  test("from a client over its rate limit redirects to #not-joined", async () => {
    const limited = await context.openApp({ perClient: 0 });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await limited.inject({ method: "POST", url: WAITLIST_PATH, payload: "firstName=Ada", headers });
    expect(response.headers.location).toBe("/#not-joined");
  });
});
