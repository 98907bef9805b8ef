import { expect, onTestFinished, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { problemSchema } from "#contract/problem.ts";
import { ALREADY_JOINED, IDEMPOTENCY_KEY_HEADER } from "#contract/sign-up.ts";
import { connect } from "#core/database/connect.ts";
import { createLogger } from "#core/service/log.ts";
import { createMetrics } from "#core/service/metrics.ts";
import { createDatabase } from "#tests/support/databases.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp();

/** Opens an app on another database for one test. */
async function openAppOn(url: string) {
  const db = connect(url);
  onTestFinished(() => db.destroy());
  return context.openApp({}, { db });
}

test("400 names each invalid field once, with its message", async () => {
  const response = await context.post({ firstName: "", lastName: "", email: "nobody" });
  expect(response.statusCode).toBe(400);
  expect(problemSchema.parse(response.json()).errors).toEqual([
    { field: "firstName", message: "First name is required" },
    { field: "lastName", message: "Last name is required" },
    { field: "email", message: "Please enter a valid email address" },
  ]);
});

test.each([
  [400, "an invalid domain", JSON.stringify(aSignUp({ email: "ada@xn--iñvalid.com" })), "application/json"],
  [400, "malformed JSON", "{", "application/json"],
  [400, "JSON nested as deep as the body limit allows", `${"[".repeat(8000)}${"]".repeat(8000)}`, "application/json"],
  [400, "a __proto__ field", `{"__proto__":{},${JSON.stringify(aSignUp()).slice(1)}`, "application/json"],
  [413, "a body over 16 KiB", JSON.stringify(aSignUp({ company: "x".repeat(17_000) })), "application/json"],
  [415, "plain text", "hello", "text/plain"],
])("%i for %s", async (status, _what, payload, type) => {
  const response = await context.post(payload, { "content-type": type });
  expect(response.statusCode).toBe(status);
  expect(problemSchema.parse(response.json()).status).toBe(status);
  expect(response.headers["content-type"]).toMatch("application/problem+json");
  expect(response.body).not.toContain(ALREADY_JOINED);
});

test("422 for an idempotency key that belongs to a sign-up with other content", async () => {
  const headers = { [IDEMPOTENCY_KEY_HEADER]: "b".repeat(32) };
  const ada = aSignUp();
  await context.post(ada, headers);
  const response = await context.post({ ...ada, lastName: "Byron" }, headers);
  expect(response.statusCode).toBe(422);
  expect(response.headers["content-type"]).toMatch("application/problem+json");
  expect(problemSchema.parse(response.json()).detail).toContain("idempotency key");
  expect(response.body).not.toContain(ALREADY_JOINED);
});

test("405 for a wrong method, 404 for an unknown path", async () => {
  const page = await context.aMember();
  for (const [url, allow] of Object.entries({
    [WAITLIST_PATH]: "POST",
    [page]: "GET, HEAD",
    [`${page}/leave`]: "POST",
  }))
    expect(await context.app.inject({ method: "PUT", url })).toMatchObject({ statusCode: 405, headers: { allow } });
  for (const url of ["/api/nothing?here=1", "/api/*/nothing", "/api/:id(", "/api/__proto__", `${page}/nothing`]) {
    const unknown = await context.app.inject({ method: "PUT", url });
    expect(problemSchema.parse(unknown.json()).status).toBe(404);
  }
});

test("503 with Retry-After while the database is down", async () => {
  const broken = await openAppOn("postgres://nobody:secret@127.0.0.1:1/nothing");
  for (const response of [
    await broken.inject(STATS_PATH),
    await broken.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() }),
  ]) {
    const requestId = response.headers["x-request-id"];
    expect(response.json()).toEqual({ type: "about:blank", title: "Service Unavailable", status: 503, requestId });
    expect(response.headers).toMatchObject({ "retry-after": "5", "cache-control": "no-store" });
  }
});

/** Opens an app on a database without tables, so that every statement fails. */
async function openUnmigratedApp() {
  const db = connect(await createDatabase(context.url));
  onTestFinished(() => db.destroy());
  const lines: string[] = [];
  const log = createLogger("error", { write: (line) => lines.push(line) });
  const metrics = createMetrics();
  return { unmigrated: await context.openApp({}, { db, log, metrics, trustProxy: ["10.0.0.0/8"] }), lines, metrics };
}

test("500 reveals nothing about its cause, but the id of its log line: a trusted proxy's or a random one", async () => {
  const { unmigrated, lines } = await openUnmigratedApp();
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const [proxy, stranger] = ["10.1.2.3", "192.0.2.1"];
  for (const [remoteAddress, headers, expected] of [
    [proxy, { "x-request-id": traceId }, traceId],
    ["::ffff:10.1.2.3", { "x-request-id": traceId }, traceId],
    [proxy, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }, traceId],
    [proxy, { "x-request-id": "ada@example.com" }, /^[0-9a-f-]{36}$/],
    [stranger, { "x-request-id": traceId }, /^[0-9a-f-]{36}$/],
    [stranger, {}, /^[0-9a-f-]{36}$/],
  ] as const) {
    const response = await unmigrated.inject({ url: STATS_PATH, headers, remoteAddress });
    const requestId = response.headers["x-request-id"];
    expect(response.json()).toEqual({ type: "about:blank", title: "Internal Server Error", status: 500, requestId });
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ reqId: requestId });
    expect(requestId).toMatch(expected);
  }
});

test("a sign-up that fails is one log line with its request id and route, without an address, and a metric", async () => {
  const { unmigrated, lines, metrics } = await openUnmigratedApp();
  const ada = aSignUp();
  const { headers } = await unmigrated.inject({ method: "POST", url: WAITLIST_PATH, payload: ada });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ reqId: headers["x-request-id"], route: WAITLIST_PATH });
  for (const personal of [ada.email, ada.lastName, "127.0.0.1"]) expect(lines[0]).not.toContain(personal);
  expect(await metrics.registry.metrics()).toContain(
    `farwatch_responses_total{route="${WAITLIST_PATH}",status="500"} 1`,
  );
});

test("503 with Retry-After while the write queue is full, with the id of the second's one log line", async () => {
  const lines: string[] = [];
  const busy = await context.openApp(
    { waiting: 5 },
    { log: createLogger("error", { write: (line) => lines.push(line) }) },
  );
  // Async, because inject() sends nothing until its result is awaited.
  const send = async () => busy.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() });
  const accepted: ReturnType<typeof send>[] = [];
  await inTransaction(context.db.pool, async (client) => {
    await client.query("lock table sign_ups in exclusive mode");
    accepted.push(send());
    await untilBlocked(context.db);
    accepted.push(...Array.from({ length: 5 }, send));
    const refused = await Promise.all([send(), send()]);
    expect(lines).toHaveLength(1);
    const { reqId } = JSON.parse(lines[0] ?? "");
    for (const each of refused)
      expect(each).toMatchObject({ statusCode: 503, headers: { "retry-after": "1", "x-request-id": reqId } });
  });
  expect((await Promise.all(accepted)).map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(201));
});
