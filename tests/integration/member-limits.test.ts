import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { MEMBERSHIP_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { memberToken } from "#core/members/links.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { createApp } from "#server/app.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

vi.setConfig({ testTimeout: 30_000 });

const SECRET = "a secret of at least 32 characters";
const PER_CLIENT = 100;
const context = useTestDatabase();
let membersDb: Database;
let app: FastifyInstance;
beforeAll(async () => {
  await recordConsentWording(context.db);
  membersDb = connect(context.url, { timeoutMs: 1200, maxConnections: 3 });
  const limits = { ...unlimited.limits, perClient: PER_CLIENT };
  app = await createApp({ db: context.db, membersDb, ...unlimited, limits, keys: createKeys(SECRET) });
});
afterAll(async () => {
  await app.close();
  await membersDb.destroy();
});
beforeEach(() => emptyWaitlist(context.db));

const signUp = (target = app) => target.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() });

/** Signs someone up and returns the path of their member page. */
async function aMember(): Promise<string> {
  await signUp();
  const newest = context.db.selectFrom("sign_ups").select(["id", "email_key"]).orderBy("id", "desc");
  const member = await newest.executeTakeFirstOrThrow();
  return `${MEMBERSHIP_PATH}/${memberToken(createKeys(SECRET), member, new Date(Date.now() + 600_000))}`;
}

let clients = 0;
/** A client that no other test uses. */
function aClient(): string {
  clients += 1;
  return `198.51.100.${clients}`;
}

async function press(url: string, body = "", remoteAddress = aClient()): Promise<number> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return (await app.inject({ method: "POST", url, payload: body, headers, remoteAddress })).statusCode;
}
const open = (url: string, remoteAddress = aClient()) => app.inject({ url, remoteAddress });

test("one link can subscribe ten times an hour, however many clients use it, and unsubscribe every time", async () => {
  const page = await aMember();
  const given: number[] = [];
  const withdrawn: number[] = [];
  for (let time = 0; time < 14; time += 1) {
    given.push(await press(`${page}/newsletter`, "wanted=yes"));
    withdrawn.push(await press(`${page}/newsletter`, "wanted=no"));
  }
  expect(given).toEqual([...Array(10).fill(303), ...Array(4).fill(429)]);
  expect(new Set(withdrawn)).toEqual(new Set([303]));
  expect(await context.db.selectFrom("consents").selectAll().execute()).toHaveLength(20);
});

test("a client over its limit can still unsubscribe and leave, and everyone else can do everything", async () => {
  const [page, other] = [await aMember(), await aMember()];
  const client = aClient();
  const statuses: number[] = [];
  for (let time = 0; time <= PER_CLIENT; time += 1) statuses.push((await open(`${page}x`, client)).statusCode);
  expect(statuses.slice(-2)).toEqual([404, 429]);

  const refused = await open(page, client);
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(refused.headers["content-type"]).toContain("text/html");
  expect(await press(`${page}/newsletter`, "wanted=yes", client)).toBe(429);
  expect(await press(`${page}/newsletter`, "wanted=no", client)).toBe(303);
  expect(await press(`${page}/leave`, "", client)).toBe(200);
  expect((await open(other)).statusCode).toBe(200);
  expect((await signUp()).statusCode).toBe(201);
});

test("unsubscribing again and again writes nothing after the first time", async () => {
  const page = await aMember();
  await press(`${page}/newsletter`, "wanted=no");
  const version = async () => (await sql`select xmin::text from sign_ups`.execute(context.db)).rows;
  const before = await version();
  for (let time = 0; time < 5; time += 1) expect(await press(`${page}/newsletter`, "wanted=no")).toBe(303);
  expect(await version()).toEqual(before);
});

test("a member can download their data ten times an hour", async () => {
  const page = await aMember();
  const statuses: number[] = [];
  for (let time = 0; time < 11; time += 1) statuses.push((await open(`${page}/data`)).statusCode);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});

test("member pages that wait for the database use none of the connections of sign-ups", async () => {
  const page = await aMember();
  const holder = await context.db.pool.connect();
  try {
    await holder.query("begin; lock table consent_wordings in access exclusive mode");
    const opened = Array.from({ length: 20 }, () => open(page));
    await untilBlocked(context.db);
    expect(await Promise.all([signUp(), signUp()]).then((all) => all.map(({ statusCode }) => statusCode))).toEqual([
      201, 201,
    ]);
    await holder.query("rollback");
    await Promise.all(opened);
  } finally {
    holder.release(true);
  }
});
