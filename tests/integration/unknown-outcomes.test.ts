import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { IDEMPOTENCY_KEY_HEADER } from "#contract/sign-up.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { confirmAddress, setNewsletter } from "#core/members/member.ts";
import { createApp } from "#server/app.ts";
import { type LonePrimary, startLonePrimary } from "#tests/support/lone-primary.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

let primary: LonePrimary;
let db: Database;

beforeAll(async () => {
  primary = await startLonePrimary();
  db = connect(primary.url);
}, 30_000);
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
    // Its probe may be waiting.
    await expect.poll(() => primary.endWaits("cancel").then(() => itsDb.pool.ended)).toBe(true);
    await closed;
  }
}

function send(signUp: ReturnType<typeof aSignUp>, key?: string) {
  const headers = key ? { [IDEMPOTENCY_KEY_HEADER]: key } : {};
  return onNewServer(async (app) => app.inject({ method: "POST", url: WAITLIST_PATH, payload: signUp, headers }));
}

const insert =
  "insert into quarantine (email_key, email, first_name, last_name, newsletter, website) values ('a', 'a', 'a', 'a', false, 'a')";

describe("a commit that stops waiting for its standby", () => {
  test.each(["cancel", "terminate"] as const)("is a 503 when an operator calls pg_%s_backend", async (by) => {
    const response = await interrupt(() => send(aSignUp()), by);
    expect(response.statusCode).toBe(503);
    expect(response.headers["retry-after"]).toBe("5");
  });

  test("fails a single statement, a named one, and a transaction", async () => {
    const failed = { name: "UnknownOutcome" };
    await expect(interrupt(() => db.pool.query(insert), "cancel")).rejects.toMatchObject(failed);
    await expect(interrupt(() => db.pool.query({ name: "n", text: insert }), "cancel")).rejects.toMatchObject(failed);
    const transaction = () =>
      db.transaction().execute((trx) => trx.deleteFrom("quarantine").where("email_key", "=", "a").execute());
    await expect(interrupt(transaction, "cancel")).rejects.toMatchObject(failed);
  });
});

describe("after a sign-up of unknown outcome", () => {
  test.each([
    ["a retry with its idempotency key", randomBytes(16).toString("hex"), 201],
    ["a duplicate", undefined, 409],
  ])("%s gets its response only once the standby has the row", async (_name, key, status) => {
    const ada = aSignUp();
    expect((await interrupt(() => send(ada, key), "cancel")).statusCode).toBe(503);
    // The row is visible, but a failover would lose it.
    expect((await interrupt(() => send(ada, key), "cancel")).statusCode).toBe(503);
    const confirmed = send(ada, key);
    await untilWaiting();
    await primary.setStandby("not needed");
    expect((await confirmed).statusCode).toBe(status);
  });

  test("reads don't wait for the standby", async () => {
    await interrupt(() => send(aSignUp()), "cancel");
    expect((await onNewServer(async (app) => app.inject(STATS_PATH))).statusCode).toBe(200);
    expect(await primary.waits()).toBe(0);
  });
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
  for (let time = 0; time < 2; time += 1) {
    await expect(interrupt(() => change(id), "cancel")).rejects.toMatchObject({ name: "UnknownOutcome" });
  }
});
