import { generateKeyPairSync } from "node:crypto";
import type { FastifyInstance, RouteOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { INVITATION_KEYS_PATH, MEMBERSHIP_PATH, UNSUBSCRIBE_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { memberToken } from "#core/members/links.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { createApp } from "#server/app.ts";
import { loadSite } from "#server/http/site.ts";
import { withRouteTable } from "#tests/support/route-table.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const keys = createKeys("a secret of at least 32 characters", {
  invitations: [generateKeyPairSync("ed25519").privateKey],
});
const invitations = { url: "https://app.example", issuer: "https://list.example", lifetimeDays: 30, keys };
const PER_CLIENT = 3;
const context = useTestDatabase();
let routes: RouteOptions[];
let app: FastifyInstance;

beforeAll(async () => {
  await recordConsentWording(context.db);
  const limits = { ...unlimited.limits, perClient: PER_CLIENT };
  const site = loadSite("dist");
  const parts = { db: context.db, ...unlimited, limits, keys, invitations, isMailed: true, site };
  ({ app, routes } = await withRouteTable(() => createApp(parts)));
});
afterAll(() => app.close());

let client = 0;
/** Sends the same request several times from a client of its own and returns the statuses. */
async function hit(method: string, path: string, times: number): Promise<number[]> {
  client += 1;
  const email = `route${client}@example.com`;
  await app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp({ email }), remoteAddress: "192.0.2.250" });
  const member = await context.db
    .selectFrom("sign_ups")
    .select(["id", "email_key"])
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  const url = path.replace(":token", memberToken(keys, member, new Date(Date.now() + 60_000)));
  const isForm = url.startsWith(MEMBERSHIP_PATH);
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const statuses: number[] = [];
  for (let request = 0; request < times; request += 1) {
    const response = await app.inject({
      method: method as "GET",
      url,
      remoteAddress: `198.51.${client}.1`,
      ...(method === "POST" && { payload: isForm ? "wanted=yes" : "{}", headers: { "content-type": type } }),
    });
    statuses.push(response.statusCode);
  }
  return statuses;
}

test("every route declares a rate limit and has the one it declares", async () => {
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.map(({ url }) => url)).toContain(INVITATION_KEYS_PATH);
  const counted: string[] = [];
  for (const { method, url, config } of routes) {
    const route = `${method} ${url}`;
    const limit = (config as { limit?: string } | undefined)?.limit;
    expect(limit, route).toBeDefined();
    const statuses = await hit(String(method), url, PER_CLIENT + 2);
    const isLimited = statuses.filter((status) => status === 429).length === 2;
    expect(statuses.includes(429), `${route}: ${statuses}`).toBe(isLimited);
    expect(isLimited ? ["client", "member", "consent"] : ["memory", "withdrawal"], route).toContain(limit);
    if (isLimited || limit === "withdrawal") counted.push(`${route} ${limit}`);
  }
  const path = `${MEMBERSHIP_PATH}/:token`;
  expect(counted.filter((route) => !route.startsWith("HEAD")).toSorted()).toEqual(
    [
      `POST ${WAITLIST_PATH} client`,
      `GET ${path} member`,
      `GET ${path}/data member`,
      `POST ${MEMBERSHIP_PATH} client`,
      `GET ${UNSUBSCRIBE_PATH}/:token member`,
      `POST ${UNSUBSCRIBE_PATH}/:token withdrawal`,
      `POST ${path}/confirm consent`,
      `POST ${path}/details member`,
      `POST ${path}/newsletter consent`,
      `POST ${path}/leave withdrawal`,
    ].toSorted(),
  );
}, 30_000);

test("a route that declares no rate limit fails the start", async () => {
  const other = await createApp({ db: context.db, ...unlimited });
  expect(() => other.get("/forgotten", async () => "")).toThrow("GET /forgotten declares no rate limit");
  await other.close();
});
