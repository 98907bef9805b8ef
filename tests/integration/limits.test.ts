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
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

async function anApp(limits: Partial<AppParts["limits"]>, more: Partial<AppParts> = {}): Promise<FastifyInstance> {
  const app = await createApp({ db: context.db, ...unlimited, limits: { ...unlimited.limits, ...limits }, ...more });
  cleanups.push(() => app.close());
  return app;
}

interface Sender {
  from?: string;
  forwardedFor?: string;
  email?: string;
  /** The honeypot. */
  website?: string;
}

/** Sends a new sign-up and returns the status of the response. */
async function post(
  app: FastifyInstance,
  { from = "192.0.2.1", forwardedFor, ...fields }: Sender = {},
): Promise<number> {
  const response = await app.inject({
    method: "POST",
    url: WAITLIST_PATH,
    payload: aSignUp(fields),
    remoteAddress: from,
    headers: forwardedFor ? { "x-forwarded-for": forwardedFor } : {},
  });
  return response.statusCode;
}

describe("the rate limit per client", () => {
  test("responds 429 with Retry-After past the limit, without affecting other clients or reads", async () => {
    const app = await anApp({ perClient: 3 });
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await post(app)).toBe(201);
    const response = await app.inject({
      method: "POST",
      url: WAITLIST_PATH,
      payload: aSignUp(),
      remoteAddress: "192.0.2.1",
    });
    expect(problemSchema.safeParse(response.json()).data?.status).toBe(429);
    expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(response.headers["retry-after"])).toBeLessThanOrEqual(60);
    expect(await post(app, { from: "192.0.2.2" })).toBe(201);
    expect((await app.inject({ url: STATS_PATH, remoteAddress: "192.0.2.1" })).statusCode).toBe(200);
  });

  test("counts an IPv6 /64 as one client, and an IPv4-mapped IPv6 address as its IPv4 address", async () => {
    const app = await anApp({ perClient: 1 });
    expect(await post(app, { from: "2001:db8:0:1::1" })).toBe(201);
    expect(await post(app, { from: "2001:db8:0:1:ffff::2" })).toBe(429);
    expect(await post(app, { from: "2001:db8:0:2::1" })).toBe(201);
    expect(await post(app, { from: "198.51.100.7" })).toBe(201);
    expect(await post(app, { from: "::ffff:198.51.100.7" })).toBe(429);
  });

  test("is four times as high for an IPv6 /56, and twenty times for a /48 and an IPv4 /24", async () => {
    const app = await anApp({ perClient: 1 });
    const accepted = async (clients: string[]) => {
      const statuses: number[] = [];
      for (const from of clients) statuses.push(await post(app, { from }));
      expect(new Set(statuses).difference(new Set([201, 429]))).toEqual(new Set());
      return statuses.filter((status) => status === 201).length;
    };
    const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
    expect(await accepted(numbers(140).map((i) => `2001:db8:1:${(i * 256).toString(16)}::1`))).toBe(20);
    expect(await accepted(numbers(140).map((i) => `2001:db8:2:${i.toString(16)}::1`))).toBe(4);
    expect(await accepted(numbers(140).map((i) => `203.0.113.${i}`))).toBe(20);
    // Their neighbors aren't affected.
    expect(await accepted(["2001:db8:3::1", "203.0.112.1"])).toBe(2);
  });

  test("isn't used up for a whole network by one client that is over its own", async () => {
    const app = await anApp({ perClient: 1 });
    for (let attempt = 0; attempt < 30; attempt += 1) await post(app, { from: "203.0.113.1" });
    for (let attempt = 0; attempt < 30; attempt += 1) await post(app, { from: "2001:db8:5::1" });
    expect(await post(app, { from: "203.0.113.2" })).toBe(201);
    expect(await post(app, { from: "2001:db8:5:1::1" })).toBe(201);
  });

  test("is not evaded by a thousand forged X-Forwarded-For headers", async () => {
    const app = await anApp({ perClient: 10 });
    const statuses = new Map<number, number>();
    for (let attempt = 0; attempt < 1000; attempt += 1) {
      const forwardedFor = Array.from(randomBytes(4)).join(".");
      const status = await post(app, { from: "192.0.2.9", forwardedFor });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 201: 10, 429: 990 });
  });

  test("believes X-Forwarded-For only from trusted proxies", async () => {
    const app = await anApp({ perClient: 1 }, { trustProxy: ["10.0.0.0/8"] });
    expect(await post(app, { from: "192.0.2.9", forwardedFor: "203.0.113.1" })).toBe(201);
    expect(await post(app, { from: "192.0.2.9", forwardedFor: "203.0.113.2" })).toBe(429);
    expect(await post(app, { from: "10.1.2.3", forwardedFor: "203.0.113.3" })).toBe(201);
    expect(await post(app, { from: "10.1.2.3", forwardedFor: "203.0.113.4" })).toBe(201);
    // A forged entry precedes the one that our proxy appended.
    expect(await post(app, { from: "10.1.2.3", forwardedFor: "203.0.113.99, 203.0.113.4" })).toBe(429);
  });
});

describe("the rate limit per email address", () => {
  test("counts attempts with an address that is on the list, across spellings and clients", async () => {
    const app = await anApp({ perAddress: 2 });
    const statuses: number[] = [];
    for (const [client, email] of ["mallory@example.com", "MALLORY@example.com", "Mallory@EXAMPLE.com"].entries())
      statuses.push(await post(app, { email, from: `192.0.2.${client}` }));
    expect(statuses).toEqual([201, 409, 409]);
    expect(await post(app, { email: "mallory@example.com", from: "192.0.2.9" })).toBe(429);
  });

  test("never keeps a person off the list because someone else used their address in the honeypot", async () => {
    const app = await anApp({ perAddress: 2 });
    const email = "victim@example.com";
    for (let time = 0; time < 10; time += 1)
      expect(await post(app, { email, website: "https://spam.example" })).toBe(201);
    expect(await post(app, { email })).toBe(201);
    expect(await post(app, { email })).toBe(409);
  });

  test("doesn't count attempts with an address that can't exist", async () => {
    const app = await anApp({ perAddress: 1 });
    for (let time = 0; time < 3; time += 1) expect(await post(app, { email: "ada@xn--iñvalid.com" })).toBe(400);
  });
});

describe("rate limits in Redis", () => {
  async function twoInstances() {
    const redis = await startScratchRedis();
    cleanups.push(() => redis.stop());
    const instance = async () => {
      const client = openRedis(redis.url, () => {});
      cleanups.push(() => client.disconnect());
      await new Promise((ready) => client.once("ready", ready));
      return anApp({ perClient: 4 }, { limiter: { redis: client, secret: unlimited.limiter.secret } });
    };
    return { redis, apps: [await instance(), await instance()] as const };
  }

  test("are shared by all instances, under keys that contain no address", async () => {
    const { redis, apps } = await twoInstances();
    const [one, two] = apps;
    const statuses = [
      await post(one),
      await post(two),
      await post(one),
      await post(two),
      await post(one),
      await post(two),
    ];
    expect(statuses).toEqual([201, 201, 201, 201, 429, 429]);
    const reader = new Redis(redis.url);
    const keys = await reader.keys("*");
    reader.disconnect();
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key).toMatch(/^farwatch:[\w-]{43}$/);
  });

  test.each(["SIGKILL", "SIGSTOP"] as const)(
    "fall back to counting per process after %s, without a single 5xx",
    async (signal) => {
      const { redis, apps } = await twoInstances();
      const [one, two] = apps;
      expect([await post(one), await post(one), await post(two)]).toEqual([201, 201, 201]);
      redis.signal(signal);
      const startedAt = performance.now();
      const requests = Array.from({ length: 50 }, (_, i) => post(one, { from: `198.51.100.${i}` }));
      expect(new Set(await Promise.all(requests))).toEqual(new Set([201]));
      expect(performance.now() - startedAt).toBeLessThan(2000);

      expect([await post(one), await post(one), await post(one)]).toEqual([201, 201, 429]);
      expect([await post(two), await post(two), await post(two), await post(two)]).toEqual([201, 201, 201, 429]);
      // Once Redis is known to be down, requests don't wait for it.
      const nextStartedAt = performance.now();
      await post(one, { from: "192.0.2.77" });
      expect(performance.now() - nextStartedAt).toBeLessThan(90);
    },
  );
});
