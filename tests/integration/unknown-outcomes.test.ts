import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { STATS_PATH, UNSUBSCRIBE_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { IDEMPOTENCY_KEY_HEADER } from "#contract/sign-up.ts";
import { createKeys } from "#core/config/keys.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { createToken } from "#core/links/links.ts";
import { confirmAddress, setNewsletter } from "#core/members/member.ts";
import { createApp } from "#server/app.ts";
import { type LonePrimary, startLonePrimary } from "#tests/support/lone-primary.ts";
import { inDays, joinAsMember, SECRET } from "#tests/support/members.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

let primary: LonePrimary;
let db: Database;

beforeAll(async () => {
  primary = await startLonePrimary();
  db = connect(primary.url);
});
afterAll(async () => {
  await db.destroy();
  await primary.stop();
});
beforeEach(() => primary.setStandby("missing"));
afterEach(() => primary.setStandby("not needed"));

const untilWaiting = () => expect.poll(() => primary.waits(), { timeout: 15_000 }).toBeGreaterThan(0);

/** Runs the work until its commit waits for the standby, then cancels or terminates it. */
async function interrupt<Result>(work: () => Promise<Result>, by: "cancel" | "terminate"): Promise<Result> {
  const [result] = await Promise.all([work(), untilWaiting().then(() => primary.endWaits(by))]);
  return result;
}

/** Runs the work on a server that hasn't noticed the outage yet, so that its circuit breaker is closed. */
async function onNewServer<Result>(work: (app: FastifyInstance) => Promise<Result>): Promise<Result> {
  const itsDb = connect(primary.url, { timeoutMs: 2000 });
  const app = await createApp({ db: itsDb, ...unlimited });
  try {
    return await work(app);
  } finally {
    await app.close();
    const closed = itsDb.destroy();
    // The server's probe may still be waiting.
    await expect.poll(() => primary.endWaits("cancel").then(() => itsDb.pool.ended)).toBe(true);
    await closed;
  }
}

function send(signUp: ReturnType<typeof aSignUp>, key?: string) {
  const headers = key ? { [IDEMPOTENCY_KEY_HEADER]: key } : {};
  return onNewServer(async (app) => app.inject({ method: "POST", url: WAITLIST_PATH, payload: signUp, headers }));
}

test.each(["cancel", "terminate"] as const)(
  "a commit that stops waiting for its standby is a 503 when an operator calls pg_%s_backend",
  async (by) => {
    const response = await interrupt(() => send(aSignUp()), by);
    expect(response.statusCode).toBe(503);
    expect(response.headers["retry-after"]).toBe("5");
  },
);

test("a commit that stops waiting for its standby fails a single statement, a named one, and a transaction", async () => {
  const statement =
    "insert into quarantine (email_key, email, first_name, last_name, newsletter, website) values (gen_random_uuid(), 'a', 'a', 'a', false, 'a')";
  const attempts: (() => Promise<unknown>)[] = [
    () => db.pool.query(statement),
    () => db.pool.query({ name: "named", text: statement }),
    () => db.transaction().execute((trx) => trx.deleteFrom("quarantine").execute()),
  ];
  for (const attempt of attempts)
    await expect(interrupt(attempt, "cancel")).rejects.toMatchObject({ name: "UnknownOutcome" });
});

test.each([
  ["a retry with its idempotency key", randomBytes(16).toString("hex"), 201],
  ["a duplicate", undefined, 409],
])("%s gets its response only once the standby has the row", async (_name, key, status) => {
  const ada = aSignUp();
  // On the second try, the row is visible, but a failover would lose it.
  for (let time = 0; time < 2; time += 1)
    expect((await interrupt(() => send(ada, key), "cancel")).statusCode).toBe(503);
  expect((await onNewServer(async (app) => app.inject(STATS_PATH))).statusCode).toBe(200);
  expect(await primary.waits()).toBe(0);
  const confirmed = send(ada, key);
  await untilWaiting();
  await primary.setStandby("not needed");
  expect((await confirmed).statusCode).toBe(status);
});

test.each([
  ["confirms an address", (id: string) => confirmAddress(db, id)],
  ["unsubscribes", (id: string) => setNewsletter(db, null, id, false)],
])("a member who %s twice waits for the standby twice", async (_name, change) => {
  await primary.setStandby("not needed");
  const { email } = aSignUp();
  await send(aSignUp({ email, newsletter: true }));
  const { id } = await db.selectFrom("sign_ups").select("id").where("email", "=", email).executeTakeFirstOrThrow();
  await primary.setStandby("missing");
  for (let time = 0; time < 2; time += 1)
    await expect(interrupt(() => change(id), "cancel")).rejects.toMatchObject({ name: "UnknownOutcome" });
});

test("unsubscribing repeatedly writes nothing", async () => {
  await primary.setStandby("not needed");
  const keys = createKeys(SECRET);
  const app = await createApp({ db, ...unlimited, keys });
  onTestFinished(() => app.close());
  const page = await joinAsMember({ app, db }, { newsletter: true });
  const member = await db.selectFrom("sign_ups").selectAll().orderBy("id", "desc").executeTakeFirstOrThrow();
  const link = `${UNSUBSCRIBE_PATH}/${createToken("unsubscribe", keys, member, inDays(1))}`;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const unsubscribe = async () => {
    const button = await app.inject({ method: "POST", url: `${page}/newsletter`, payload: "wanted=no", headers });
    return [(await app.inject({ method: "POST", url: link })).statusCode, button.statusCode];
  };
  await unsubscribe();
  // From now on, every commit would wait.
  await primary.setStandby("missing");
  expect(await unsubscribe()).toEqual([200, 303]);
});

test("while the standby is gone, only a few commits wait, the server rejects immediately, and then recovers", async () => {
  await onNewServer(async (app) => {
    let clients = 0;
    /** Sends each request from another network, because bots have their own limit. */
    const sendAs = async (website: string) => {
      clients += 1;
      const request = { method: "POST", url: WAITLIST_PATH, remoteAddress: `10.${clients}.0.1` } as const;
      return (await app.inject({ ...request, payload: aSignUp({ website }) })).statusCode;
    };
    // The outage hits one batch of people and one of bots.
    expect(await Promise.all([sendAs(""), sendAs("bot")])).toEqual([503, 503]);
    const startedAt = performance.now();
    for (let time = 0; time < 20; time += 1) expect([await sendAs(""), await sendAs("bot")]).toEqual([503, 503]);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    // Only the two batches and at most one probe are waiting.
    expect(await primary.waits()).toBeLessThanOrEqual(3);
    await primary.setStandby("not needed");
    await expect.poll(() => sendAs(""), { timeout: 5000 }).toBe(201);
    expect(await primary.waits()).toBe(0);
  });
});
