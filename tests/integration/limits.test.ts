import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { Redis } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { problemSchema } from "#contract/problem.ts";
import { type AppParts, createApp } from "#server/app.ts";
import { openRedis } from "#server/http/redis.ts";
import { startScratchRedis } from "#tests/support/scratch-redis.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useTestDatabase();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function anApp(limits: Partial<AppParts["limits"]>, more: Partial<AppParts> = {}): Promise<FastifyInstance> {
  const app = await createApp({ db: context.db, ...unlimited, limits: { ...unlimited.limits, ...limits }, ...more });
  closing.push(() => app.close());
  return app;
}

interface Sender {
  from?: string;
  forwardedFor?: string;
  email?: string;
}

/** The status of one sign-up more. */
async function post(app: FastifyInstance, { from = "192.0.2.1", forwardedFor, email }: Sender = {}): Promise<number> {
  const answer = await app.inject({
    method: "POST",
    url: WAITLIST_PATH,
    payload: aSignUp(email ? { email } : {}),
    remoteAddress: from,
    headers: forwardedFor ? { "x-forwarded-for": forwardedFor } : {},
  });
  return answer.statusCode;
}

describe("one client", () => {
  test("is told to wait once it has sent its share, and for how long; others are not, and reading is free", async () => {
    const app = await anApp({ perClient: 3 });
    for (let turn = 0; turn < 3; turn += 1) expect(await post(app)).toBe(201);
    const answer = await app.inject({
      method: "POST",
      url: WAITLIST_PATH,
      payload: aSignUp(),
      remoteAddress: "192.0.2.1",
    });
    expect(problemSchema.parse(answer.json()).status).toBe(429);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(60);
    expect(await post(app, { from: "192.0.2.2" })).toBe(201);
    expect((await app.inject({ url: STATS_PATH, remoteAddress: "192.0.2.1" })).statusCode).toBe(200);
  });

  test("is a /64 in IPv6, and the same whether IPv4 comes plain or mapped", async () => {
    const app = await anApp({ perClient: 1 });
    expect(await post(app, { from: "2001:db8:0:1::1" })).toBe(201);
    expect(await post(app, { from: "2001:db8:0:1:ffff::2" })).toBe(429);
    expect(await post(app, { from: "2001:db8:0:2::1" })).toBe(201);
    expect(await post(app, { from: "198.51.100.7" })).toBe(201);
    expect(await post(app, { from: "::ffff:198.51.100.7" })).toBe(429);
  });

  test("is one, whatever a thousand headers say", async () => {
    const app = await anApp({ perClient: 10 });
    const statuses = new Map<number, number>();
    for (let turn = 0; turn < 1000; turn += 1) {
      const forwardedFor = Array.from(randomBytes(4)).join(".");
      const status = await post(app, { from: "192.0.2.9", forwardedFor });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 201: 10, 429: 990 });
  });

  test("can't say that it is another, unless it is a proxy of ours", async () => {
    const app = await anApp({ perClient: 1 }, { trustProxy: ["10.0.0.0/8"] });
    expect(await post(app, { from: "192.0.2.9", forwardedFor: "203.0.113.1" })).toBe(201);
    expect(await post(app, { from: "192.0.2.9", forwardedFor: "203.0.113.2" })).toBe(429);
    expect(await post(app, { from: "10.1.2.3", forwardedFor: "203.0.113.3" })).toBe(201);
    expect(await post(app, { from: "10.1.2.3", forwardedFor: "203.0.113.4" })).toBe(201);
    // What the visitor wrote into the header itself stands before what our proxy added.
    expect(await post(app, { from: "10.1.2.3", forwardedFor: "203.0.113.99, 203.0.113.4" })).toBe(429);
  });
});

test("one e-mail address, however it is written and wherever it comes from", async () => {
  const app = await anApp({ perAddress: 2 });
  const sent = [
    { email: "mallory@example.com", from: "192.0.2.1" },
    { email: "MALLORY@example.com", from: "192.0.2.2" },
    { email: "Mallory@EXAMPLE.com", from: "192.0.2.3" },
  ];
  expect([await post(app, sent[0]), await post(app, sent[1]), await post(app, sent[2])]).toEqual([201, 409, 429]);
});

test("people with different domains that can't exist don't share a bucket", async () => {
  const app = await anApp({ perAddress: 1 });
  expect(await post(app, { email: "ada@xn--iñvalid.com" })).toBe(400);
  expect(await post(app, { email: "bob@xn--iñvalid.org" })).toBe(400);
});

describe("with Redis", () => {
  async function twoInstances() {
    const redis = await startScratchRedis();
    closing.push(() => redis.stop());
    const instance = async () => {
      const client = openRedis(redis.url, () => {});
      closing.push(() => client.disconnect());
      await new Promise((ready) => client.once("ready", ready));
      return anApp({ perClient: 4 }, { limiter: { redis: client, secret: unlimited.limiter.secret } });
    };
    return { redis, apps: [await instance(), await instance()] as const };
  }

  test("instances count together, and Redis never sees an address", async () => {
    const { redis, apps } = await twoInstances();
    const [one, two] = apps;
    const sent = [await post(one), await post(two), await post(one), await post(two), await post(one), await post(two)];
    expect(sent).toEqual([201, 201, 201, 201, 429, 429]);
    const reader = new Redis(redis.url);
    const keys = await reader.keys("*");
    reader.disconnect();
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key).toMatch(/^farwatch:[\w-]{43}$/);
  });

  test.each(["SIGKILL", "SIGSTOP"] as const)(
    "after %s each goes on counting for itself, with not one 5xx",
    async (signal) => {
      const { redis, apps } = await twoInstances();
      const [one, two] = apps;
      expect([await post(one), await post(one), await post(two)]).toEqual([201, 201, 201]);
      redis.signal(signal);
      const began = performance.now();
      const crowd = Array.from({ length: 50 }, (_, i) => post(one, { from: `198.51.100.${i}` }));
      expect(new Set(await Promise.all(crowd))).toEqual(new Set([201]));
      expect(performance.now() - began).toBeLessThan(2000);

      expect([await post(one), await post(one), await post(one)]).toEqual([201, 201, 429]);
      expect([await post(two), await post(two), await post(two), await post(two)]).toEqual([201, 201, 201, 429]);
      // Once it is known to be gone, nobody waits for it.
      const next = performance.now();
      await post(one, { from: "192.0.2.77" });
      expect(performance.now() - next).toBeLessThan(90);
    },
  );
});
