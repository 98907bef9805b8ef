import { generateKeyPairSync } from "node:crypto";
import type { FastifyInstance, RouteOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { INVITATION_KEYS_PATH, MEMBERSHIP_PATH, UNSUBSCRIBE_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { createToken } from "#core/links/links.ts";
import { createApp } from "#server/app.ts";
import { loadSite } from "#server/http/site.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { MAIL_EVENTS } from "#tests/support/mail-providers.ts";
import { inDays, SECRET } from "#tests/support/members.ts";
import { withRouteTable } from "#tests/support/route-table.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const PER_CLIENT = 3;
/** The context's own app has no limits. */
const context = useTestApp();
let membersDb: Database;
let routes: RouteOptions[];
let app: FastifyInstance;

beforeAll(async () => {
  membersDb = connect(context.url, { timeoutMs: 1200, maxConnections: 3 });
  const keys = createKeys(SECRET, { invitations: [generateKeyPairSync("ed25519").privateKey] });
  const limits = { ...unlimited.limits, perClient: PER_CLIENT };
  const invitations = { url: "https://app.example", issuer: "https://list.example", lifetimeDays: 30, keys };
  const own = { limits, keys, invitations, mail: MAIL_ON, mailEvents: MAIL_EVENTS, site: loadSite("dist") };
  ({ app, routes } = await withRouteTable(() => createApp({ db: context.db, membersDb, ...unlimited, ...own })));
});
afterAll(async () => {
  await app.close();
  await membersDb.destroy();
});

let clients = 0;
/** An address in a network that no one else uses. */
function aClient(): string {
  clients += 1;
  return `10.${clients >> 8}.${clients & 255}.1`;
}

async function request(method: string, url: string, body?: string, remoteAddress = aClient()): Promise<number> {
  const isForm = url.startsWith(MEMBERSHIP_PATH);
  const headers = { "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json" };
  const sent = body === undefined ? {} : { payload: body, headers };
  return (await app.inject({ method: method as "GET", url, remoteAddress, ...sent })).statusCode;
}
const get = (url: string) => request("GET", url);
const press = (url: string, body = "", client = aClient()) => request("POST", url, body, client);
/** The unsubscribe link of the first person on the list. */
async function unsubscribeLink(): Promise<string> {
  const [member] = await context.rows();
  if (!member) throw new Error("Nobody is on the list");
  return `${UNSUBSCRIBE_PATH}/${createToken("unsubscribe", createKeys(SECRET), member, inDays(1))}`;
}
const signUp = () => request("POST", WAITLIST_PATH, JSON.stringify(aSignUp()));

test("every route declares a rate limit and has the one it declares", async () => {
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.map(({ url }) => url)).toContain(INVITATION_KEYS_PATH);
  const counted: string[] = [];
  for (const { method, url, config } of routes) {
    const route = `${method} ${url}`;
    const page = await context.aMember();
    const client = aClient();
    const body = url.startsWith(MEMBERSHIP_PATH) ? "wanted=yes" : "{}";
    const statuses: number[] = [];
    for (let time = 0; time < PER_CLIENT + 2; time += 1) {
      const path = url.replace(`${MEMBERSHIP_PATH}/:token`, page);
      statuses.push(await request(String(method), path, method === "POST" ? body : undefined, client));
    }
    const isLimited = statuses.filter((status) => status === 429).length === 2;
    expect(statuses.includes(429), `${route}: ${statuses}`).toBe(isLimited);
    expect(isLimited ? ["client", "member", "consent"] : ["memory", "withdrawal", "provider"], route).toContain(
      config?.limit,
    );
    if (isLimited || config?.limit === "withdrawal") counted.push(`${route} ${config?.limit}`);
  }
  const path = `${MEMBERSHIP_PATH}/:token`;
  expect(counted.filter((route) => !route.startsWith("HEAD")).toSorted()).toEqual(
    [
      `POST ${WAITLIST_PATH} client`,
      `GET ${path} member`,
      `GET ${path}/data member`,
      `GET ${path}/data.html member`,
      `POST ${MEMBERSHIP_PATH} client`,
      `GET ${UNSUBSCRIBE_PATH}/:token member`,
      `POST ${UNSUBSCRIBE_PATH}/:token withdrawal`,
      `POST ${path}/confirm consent`,
      `POST ${path}/details member`,
      `POST ${path}/answers member`,
      `POST ${path}/newsletter consent`,
      `POST ${path}/leave withdrawal`,
    ].toSorted(),
  );
});

test("a route that declares no rate limit fails the start", async () => {
  const other = await context.openApp();
  expect(() => other.get("/forgotten", async () => "")).toThrow("GET /forgotten declares no rate limit");
});

const DETAILS = "firstName=Ada&lastName=King&company=";
test.each<[string, number, (page: string) => Promise<number>, number]>([
  ["open their page 60 times a minute", 60, get, 200],
  ["download their data ten times an hour", 10, (page) => get(`${page}/data`), 200],
  ["change their details twenty times an hour", 20, (page) => press(`${page}/details`, DETAILS), 303],
])("a member can %s, however many clients use their link", async (_what, max, act, status) => {
  const page = await context.aMember();
  const statuses: number[] = [];
  for (let time = 0; time <= max; time += 1) statuses.push(await act(page));
  expect(statuses).toEqual([...Array(max).fill(status), 429]);
});

test("a link to unsubscribe that is opened again and again leaves its member their page", async () => {
  const page = await context.aMember();
  const link = await unsubscribeLink();
  const statuses: number[] = [];
  for (let time = 0; time <= 60; time += 1) statuses.push(await get(link));
  expect(statuses).toEqual([...Array(60).fill(200), 429]);
  expect(await get(page)).toBe(200);
});

test("one link can subscribe ten times an hour, from any number of clients, and always unsubscribe", async () => {
  const page = await context.aMember();
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

test("a client over its limit gets a page that says so, and can still unsubscribe and leave", async () => {
  const page = await context.aMember();
  const client = aClient();
  for (let time = 0; time < PER_CLIENT; time += 1) await request("GET", page, undefined, client);
  const refused = await app.inject({ url: page, remoteAddress: client });
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(refused.headers["content-type"]).toContain("text/html");
  expect(await press(`${page}/newsletter`, "wanted=yes", client)).toBe(429);
  expect(await press(`${page}/newsletter`, "wanted=no", client)).toBe(303);
  expect(await press(`${page}/leave`, "", client)).toBe(303);
});

test("a link that is pressed again and again leaves its member their page, and others the connections", async () => {
  const [page, other] = [await context.aMember({ newsletter: true }), await context.aMember()];
  const link = await unsubscribeLink();
  const pressed: Promise<number>[] = [];
  await inTransaction(context.db.pool, async (client) => {
    await client.query("select from sign_ups order by id limit 1 for update");
    pressed.push(...Array.from({ length: 50 }, () => press(link)));
    await untilBlocked(context.db);
    expect([await get(page), await get(other)]).toEqual([200, 200]);
  });
  // Only ten requests may wait, because more would exhaust memory.
  expect(await Promise.all(pressed)).toEqual([...Array(10).fill(200), ...Array(40).fill(429)]);
});

test.each<[string, (client: string, email: string, page: string) => Promise<number>]>([
  ["presses many members' links", (client, _email, page) => press(`${page}/leave`, "", client)],
  ["asks for many members' links", (client, email) => press(MEMBERSHIP_PATH, `email=${email}`, client)],
])("a network that %s leaves the connections to other members", async (_what, act) => {
  const other = await context.aMember();
  const pages: string[] = [];
  for (let n = 0; n < 10; n += 1) pages.push(await context.aMember({ email: `member${n}@example.com` }));
  const acting: Promise<number>[] = [];
  await inTransaction(context.db.pool, async (client) => {
    await client.query("select from sign_ups where id > (select min(id) from sign_ups) for update");
    acting.push(...pages.map((page, n) => act(`192.0.2.${n}`, `member${n}@example.com`, page)));
    await untilBlocked(context.db);
    expect([await get(other), await press(`${other}/leave`)]).toEqual([200, 303]);
  });
  expect(new Set(await Promise.all(acting))).toEqual(new Set([303]));
});

test("member pages that wait for the database use none of the sign-ups' connections", async () => {
  const page = await context.aMember();
  const opened: Promise<number>[] = [];
  await inTransaction(context.db.pool, async (client) => {
    await client.query("lock table consent_wordings in access exclusive mode");
    opened.push(...Array.from({ length: 20 }, () => get(page)));
    await untilBlocked(context.db);
    expect(await Promise.all([signUp(), signUp()])).toEqual([201, 201]);
  });
  await Promise.all(opened);
});
