import { describe, expect, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { problemSchema } from "#contract/problem.ts";
import { ALREADY_JOINED, IDEMPOTENCY_KEY_HEADER } from "#contract/sign-up.ts";
import { connect } from "#core/database/connect.ts";
import { readTotals } from "#core/sign-ups/totals.ts";
import { createApp } from "#server/app.ts";
import { createDatabase } from "#tests/support/databases.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useTestApp();

const post = (payload: object, headers: Record<string, string> = {}) =>
  context.app.inject({ method: "POST", url: WAITLIST_PATH, payload, headers });
const totals = () => readTotals(context.db.pool);

describe("errors are problem details (RFC 9457)", () => {
  test("400 names each invalid field once, with its message", async () => {
    const response = await post({ firstName: "", lastName: "", email: "nobody" });
    expect(response.statusCode).toBe(400);
    expect(problemSchema.parse(response.json()).errors).toEqual([
      { field: "firstName", message: "First name is required" },
      { field: "lastName", message: "Last name is required" },
      { field: "email", message: "Please enter a valid email address" },
    ]);
  });

  test("400 for an invalid domain", async () => {
    const response = await post(aSignUp({ email: "ada@xn--iñvalid.com" }));
    expect(problemSchema.parse(response.json())).toMatchObject({ status: 400, errors: [{ field: "email" }] });
  });

  test.each([
    [400, "malformed JSON", "{", "application/json"],
    [400, "JSON nested as deep as the body limit allows", `${"[".repeat(8000)}${"]".repeat(8000)}`, "application/json"],
    [400, "a __proto__ field", `{"__proto__":{},${JSON.stringify(aSignUp()).slice(1)}`, "application/json"],
    [413, "a body over 16 KiB", JSON.stringify(aSignUp({ company: "x".repeat(17_000) })), "application/json"],
    [415, "plain text", "hello", "text/plain"],
    [415, "XML", "<a/>", "application/xml"],
  ])("%i for %s", async (status, _what, payload, type) => {
    const response = await context.app.inject({
      method: "POST",
      url: WAITLIST_PATH,
      payload,
      headers: { "content-type": type },
    });
    expect(response.statusCode).toBe(status);
    expect(problemSchema.parse(response.json()).status).toBe(status);
    expect(response.headers["content-type"]).toMatch("application/problem+json");
    expect(response.body).not.toContain(ALREADY_JOINED);
  });

  test("422 for an idempotency key that belongs to a sign-up with other content", async () => {
    const headers = { [IDEMPOTENCY_KEY_HEADER]: "b".repeat(32) };
    const ada = aSignUp();
    expect((await post(ada, headers)).statusCode).toBe(201);
    const response = await post({ ...ada, lastName: "Byron" }, headers);
    expect(response.statusCode).toBe(422);
    expect(response.headers["content-type"]).toMatch("application/problem+json");
    expect(problemSchema.parse(response.json()).detail).toContain("idempotency key");
    expect(response.body).not.toContain(ALREADY_JOINED);
    expect(await totals()).toMatchObject({ totalUsers: 1 });
  });

  test("405 for a wrong method, 404 for an unknown path", async () => {
    const wrongMethod = await context.app.inject({ method: "DELETE", url: WAITLIST_PATH });
    expect(wrongMethod.statusCode).toBe(405);
    expect(wrongMethod.headers.allow).toBe("POST");
    for (const path of ["/api/nothing?here=1", "/api/*/nothing", "/api/:id(", "/api/__proto__"]) {
      const unknown = await context.app.inject(path);
      expect(problemSchema.parse(unknown.json()).status).toBe(404);
    }
  });

  test("503 with Retry-After while the database is down", async () => {
    const nowhere = connect("postgres://nobody:secret@127.0.0.1:1/nothing");
    const broken = await createApp({ db: nowhere, ...unlimited });
    for (const response of [
      await broken.inject(STATS_PATH),
      await broken.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() }),
    ]) {
      expect(response.json()).toEqual({ type: "about:blank", title: "Service Unavailable", status: 503 });
      expect(response.headers["retry-after"]).toBe("5");
      expect(response.headers["cache-control"]).toBe("no-store");
    }
    await broken.close();
    await nowhere.destroy();
  });

  test("500 reveals nothing about its cause", async () => {
    const unmigrated = connect(await createDatabase(context.url));
    const broken = await createApp({ db: unmigrated, ...unlimited });
    const response = await broken.inject(STATS_PATH);
    expect(response.json()).toEqual({ type: "about:blank", title: "Internal Server Error", status: 500 });
    await broken.close();
    await unmigrated.destroy();
  });

  test("503 with Retry-After while the write queue is full", async () => {
    const busy = await createApp({ db: context.db, ...unlimited, limits: { ...unlimited.limits, waiting: 5 } });
    // Async, because inject sends nothing until its result is awaited.
    const send = async () => busy.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() });
    const holder = await context.db.pool.connect();
    await holder.query("begin");
    await holder.query("lock table sign_ups in exclusive mode");
    const inFlight = send();
    await untilBlocked(context.db);
    const queued = Array.from({ length: 5 }, send);
    const rejected = await send();
    expect(rejected.statusCode).toBe(503);
    expect(rejected.headers["retry-after"]).toBe("1");
    await holder.query("rollback");
    holder.release();
    expect((await Promise.all([inFlight, ...queued])).map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(201));
    await busy.close();
  });
});
