import { describe, expect, test } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { ALREADY_JOINED, IDEMPOTENCY_KEY_HEADER } from "#contract/sign-up.ts";
import { readTotals } from "#core/sign-ups/totals.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp();

const post = (payload: object, headers: Record<string, string> = {}) =>
  context.app.inject({ method: "POST", url: WAITLIST_PATH, payload, headers });
const totals = () => readTotals(context.db.pool);
const rows = () => context.db.selectFrom("sign_ups").selectAll().execute();

test("stores a sign-up as typed and counts it", async () => {
  const ada = aSignUp({ email: "Ada@Example.com", company: "Acme, Inc.", newsletter: true });
  const response = await post(ada);
  expect(response.statusCode).toBe(201);
  expect(response.json()).toEqual({ data: { totalUsers: 1, companiesInterested: 1 } });
  expect(await totals()).toEqual({ totalUsers: 1, companiesInterested: 1 });
  expect(await rows()).toMatchObject([
    {
      email: "Ada@Example.com",
      email_key: "ada@example.com",
      first_name: "Ada",
      last_name: "Lovelace",
      company: "Acme, Inc.",
      company_key: "acme",
      newsletter: true,
    },
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

test("accepts one of fifty identical concurrent sign-ups", async () => {
  const ada = aSignUp({ company: "Acme" });
  const responses = await Promise.all(Array.from({ length: 50 }, () => post(ada)));
  const codes = responses.map(({ statusCode }) => statusCode).sort();
  expect(codes).toEqual([201, ...Array(49).fill(409)]);
  expect(await rows()).toHaveLength(1);
  expect(await totals()).toEqual({ totalUsers: 1, companiesInterested: 1 });
});

test("counts a company once across spellings and concurrent sign-ups", async () => {
  const names = ["Acme", "ACME Inc.", "acme gmbh", "Ａｃｍｅ", "n/a", "", "Umbrella"];
  await Promise.all(names.map((company) => post(aSignUp({ company }))));
  await post(aSignUp({ company: "acme" }));
  expect(await totals()).toEqual({ totalUsers: 8, companiesInterested: 2 });
});

test("stores a company name that is too long after Unicode normalization, and doesn't count it", async () => {
  expect((await post(aSignUp({ company: "ﷺ".repeat(200) }))).statusCode).toBe(201);
  expect(await totals()).toEqual({ totalUsers: 1, companiesInterested: 0 });
});

describe("a filled honeypot", () => {
  test("looks like a success but goes into quarantine and isn't counted", async () => {
    const bot = aSignUp({ website: "https://spam.example", company: "Spam" });
    const response = await post(bot);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({ data: { totalUsers: 0, companiesInterested: 0 } });
    expect(await rows()).toEqual([]);
    const caught = await context.db.selectFrom("quarantine").selectAll().execute();
    expect(caught).toMatchObject([{ email: bot.email, website: "https://spam.example" }]);
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
    const grace = { ...ada, firstName: "Grace" };
    expect((await post(grace, headers)).statusCode).toBe(422);
    const [known, unknown] = await Promise.all([
      post({ ...grace, website: "x" }, headers),
      post(aSignUp({ website: "x" }), headers),
    ]);
    const withoutDate = ({ date, ...rest }: Record<string, unknown>) => rest;
    expect([known.statusCode, known.body]).toEqual([201, unknown.body]);
    expect(withoutDate(known.headers)).toEqual(withoutDate(unknown.headers));
  });
});
