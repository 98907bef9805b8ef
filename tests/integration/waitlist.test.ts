import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { problemSchema } from "#contract/problem.ts";
import { ALREADY_JOINED } from "#contract/sign-up.ts";
import { connect } from "#core/database/connect.ts";
import { readTotals } from "#core/waitlist/totals.ts";
import { createApp } from "#server/app.ts";
import { createDatabase } from "#tests/support/databases.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useTestDatabase();
let app: FastifyInstance;

beforeAll(async () => {
  app = await createApp({ db: context.db, ...unlimited });
});
afterAll(() => app.close());

beforeEach(() => emptyWaitlist(context.db));

const post = (payload: object) => app.inject({ method: "POST", url: WAITLIST_PATH, payload });
const totals = () => readTotals(context.db.pool);
const rows = () => context.db.selectFrom("sign_ups").selectAll().execute();

test("a sign-up is stored as typed and counted", async () => {
  const ada = aSignUp({ email: "Ada@Example.com", company: "Acme, Inc.", newsletter: true });
  const answer = await post(ada);
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toEqual({ data: { totalUsers: 1, companiesInterested: 1 } });
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

test("a second sign-up with the same address in another case is refused", async () => {
  await post(aSignUp({ email: "ada@bücher.example" }));
  const answer = await post(aSignUp({ email: "ADA@xn--bcher-kva.EXAMPLE" }));
  expect(answer.statusCode).toBe(409);
  expect(answer.headers["content-type"]).toMatch("application/problem+json");
  expect(answer.body).toContain(ALREADY_JOINED);
  expect(await totals()).toMatchObject({ totalUsers: 1 });
});

test("fifty identical sign-ups at the same time: one joins", async () => {
  const ada = aSignUp({ company: "Acme" });
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(ada)));
  const codes = answers.map(({ statusCode }) => statusCode).sort();
  expect(codes).toEqual([201, ...Array(49).fill(409)]);
  expect(await rows()).toHaveLength(1);
  expect(await totals()).toEqual({ totalUsers: 1, companiesInterested: 1 });
});

test("one company is counted once, however it is written and whoever comes first", async () => {
  const names = ["Acme", "ACME Inc.", "acme gmbh", "Ａｃｍｅ", "n/a", "", "Umbrella"];
  await Promise.all(names.map((company) => post(aSignUp({ company }))));
  expect(await totals()).toEqual({ totalUsers: 7, companiesInterested: 2 });
});

test("a company's name that grows when it is folded is stored, and counts as none", async () => {
  expect((await post(aSignUp({ company: "ﷺ".repeat(200) }))).statusCode).toBe(201);
  expect(await totals()).toEqual({ totalUsers: 1, companiesInterested: 0 });
});

describe("a filled honeypot", () => {
  test("looks like a success, and goes into quarantine uncounted", async () => {
    const bot = aSignUp({ website: "https://spam.example", company: "Spam" });
    const answer = await post(bot);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({ data: { totalUsers: 0, companiesInterested: 0 } });
    expect(await rows()).toEqual([]);
    const caught = await context.db.selectFrom("quarantine").selectAll().execute();
    expect(caught).toMatchObject([{ email: bot.email, website: "https://spam.example" }]);
  });

  test("never learns who is on the list", async () => {
    const ada = aSignUp();
    await post(ada);
    expect((await post({ ...ada, website: "x" })).statusCode).toBe(201);
  });
});

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, i]));

describe("what can't be taken is answered as a problem", () => {
  test("400 names each field once, with its message", async () => {
    const answer = await post({ firstName: "", lastName: "", email: "nobody" });
    expect(answer.statusCode).toBe(400);
    expect(problemSchema.parse(answer.json()).errors).toEqual([
      { field: "firstName", message: "First name is required" },
      { field: "lastName", message: "Last name is required" },
      { field: "email", message: "Please enter a valid email address" },
    ]);
  });

  test("400 for a domain that can't exist", async () => {
    const answer = await post(aSignUp({ email: "ada@xn--iñvalid.com" }));
    expect(problemSchema.parse(answer.json())).toMatchObject({ status: 400, errors: [{ field: "email" }] });
  });

  test.each([
    [400, "unreadable JSON", "{", "application/json"],
    [400, "nesting as deep as the body allows", `${"[".repeat(8000)}${"]".repeat(8000)}`, "application/json"],
    [400, "a thousand fields", JSON.stringify({ ...aSignUp(), ...fields(1000) }), "application/json"],
    [400, "a field of a prototype", `{"__proto__":{},${JSON.stringify(aSignUp()).slice(1)}`, "application/json"],
    [400, "a field that isn't asked for", JSON.stringify({ ...aSignUp(), surprise: "!" }), "application/json"],
    [413, "a body over 16 KiB", JSON.stringify(aSignUp({ company: "x".repeat(17_000) })), "application/json"],
    [415, "plain text", "hello", "text/plain"],
    [415, "XML", "<a/>", "application/xml"],
  ])("%i for %s", async (status, _what, payload, type) => {
    const answer = await app.inject({
      method: "POST",
      url: WAITLIST_PATH,
      payload,
      headers: { "content-type": type },
    });
    expect(answer.statusCode).toBe(status);
    expect(problemSchema.parse(answer.json()).status).toBe(status);
    expect(answer.headers["content-type"]).toMatch("application/problem+json");
    expect(answer.body).not.toContain(ALREADY_JOINED);
  });

  test("405 for a known path with a wrong method, 404 for an unknown one", async () => {
    const wrongMethod = await app.inject({ method: "DELETE", url: WAITLIST_PATH });
    expect(wrongMethod.statusCode).toBe(405);
    expect(wrongMethod.headers.allow).toBe("POST");
    for (const path of ["/api/nothing?here=1", "/api/*/nothing", "/api/:id(", "/api/__proto__"]) {
      const unknown = await app.inject(path);
      expect(problemSchema.parse(unknown.json()).status).toBe(404);
    }
  });

  test("503 with Retry-After while the database is away", async () => {
    const nowhere = connect("postgres://nobody:secret@127.0.0.1:1/nothing");
    const broken = await createApp({ db: nowhere, ...unlimited });
    for (const answer of [
      await broken.inject(STATS_PATH),
      await broken.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() }),
    ]) {
      expect(answer.json()).toEqual({ type: "about:blank", title: "Service Unavailable", status: 503 });
      expect(answer.headers["retry-after"]).toBe("5");
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
    await broken.close();
    await nowhere.destroy();
  });

  test("500 says nothing about its cause", async () => {
    const unmigrated = connect(await createDatabase(context.url));
    const broken = await createApp({ db: unmigrated, ...unlimited });
    const answer = await broken.inject(STATS_PATH);
    expect(answer.json()).toEqual({ type: "about:blank", title: "Internal Server Error", status: 500 });
    await broken.close();
    await unmigrated.destroy();
  });

  test("503 with Retry-After at once where too many wait to be written", async () => {
    const busy = await createApp({ db: context.db, ...unlimited, limits: { ...unlimited.limits, waiting: 5 } });
    // Async, because inject sends nothing before someone asks for its answer.
    const send = async () => busy.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() });
    const holder = await context.db.pool.connect();
    await holder.query("begin");
    await holder.query("lock table sign_ups in exclusive mode");
    const written = send();
    await untilBlocked(context.db);
    const waiting = Array.from({ length: 5 }, send);
    const turnedAway = await send();
    expect(turnedAway.statusCode).toBe(503);
    expect(turnedAway.headers["retry-after"]).toBe("1");
    await holder.query("rollback");
    holder.release();
    expect((await Promise.all([written, ...waiting])).map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(201));
    await busy.close();
  });
});
