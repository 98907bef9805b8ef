import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { problemSchema } from "#contract/problem.ts";
import { openRedis } from "#server/limits/redis.ts";
import { type Nginx, startNginx } from "#tests/support/nginx.ts";
import { startScratchRedis } from "#tests/support/scratch-redis.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useTestApp();

interface Sender {
  from?: string;
  forwardedFor?: string;
  email?: string;
  /** The honeypot. */
  website?: string;
}

function send(app: FastifyInstance, { from = "192.0.2.1", forwardedFor, ...fields }: Sender = {}) {
  const headers = forwardedFor ? { "x-forwarded-for": forwardedFor } : {};
  return app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp(fields), remoteAddress: from, headers });
}

/** Sends new sign-ups one after the other and returns the statuses of the responses. */
async function post(app: FastifyInstance, ...senders: Sender[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const sender of senders) statuses.push((await send(app, sender)).statusCode);
  return statuses;
}

const times = <Item>(count: number, item: Item): Item[] => Array(count).fill(item);
const numbered = (count: number, address: (hex: string, number: number) => string) =>
  Array.from({ length: count }, (_, i) => address((i + 1).toString(16), i + 1));

/** The senders of successive requests, and how many requests are served if a client may send two. */
const NETWORKS: [string, string[], number][] = [
  ["an IPv4 address", times(10, "198.51.100.7"), 2],
  [
    "an IPv6 /64, however its addresses are written",
    ["2001:db8:1::1", "2001:db8:1:0:1:2:3:4", "2001:db8:1:0:ffff::", "2001:db8:1:0:0:5::6", "2001:db8:1::7:0:0"],
    2,
  ],
  ["an IPv6 /56", numbered(30, (hex) => `2001:db8:2:${hex}::1`), 8],
  ["an IPv6 /48", numbered(140, (hex) => `2001:db8:3:${hex}00::1`), 40],
  ["an IPv4 /24", numbered(140, (_, number) => `203.0.113.${number}`), 40],
  ["one client of a /24 without its neighbors", [...times(60, "203.0.114.1"), "203.0.114.2"], 3],
  ["one client of a /56 without its neighbors", [...times(60, "2001:db8:5::1"), "2001:db8:5:1::1"], 3],
  // The last four contain zero bytes, or line breaks, which a dot in a regular expression doesn't match.
  ["no other network", ["198.51.101.7", "2001:db8:4::1", "10.10.10.10", "a0a:a0a:a0a:a0a::1", "::2", "192.0.2.0"], 6],
  ["an IPv6 /64 of line breaks", times(3, "a0b:a0a:a0a:a0a::2"), 2],
];

/** The server's limiter, and nginx's with the configuration we ship. */
const LIMITERS: Record<string, () => Promise<(client: string) => Promise<number>>> = {
  async server() {
    const app = await context.openApp({ perClient: 2 });
    return async (from) => (await send(app, { from })).statusCode;
  },
  nginx: async () => async (client) => (await fetch(nginx.origin, { headers: { "x-test-address": client } })).status,
};

const upstream = createServer(({ headers }, response) =>
  response.writeHead(headers["x-test-address"] ? 201 : 200).end(),
);
let nginx: Nginx;
beforeAll(async () => {
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  const bursts: Record<string, number> = { client: 1, customer: 7, network: 39 };
  // Sets small limits with almost no refill, and reads the client's address from a header.
  const adapt = (config: string) =>
    config
      .replaceAll(/rate=\d+r\/s/g, "rate=1r/m")
      .replaceAll(/zone=(\w+)_requests burst=\d+/g, (_, tier) => `zone=${tier}_requests burst=${bursts[tier]}`)
      .replace("http {", "http {\n  set_real_ip_from 127.0.0.1;\n  real_ip_header x-test-address;");
  nginx = await startNginx([`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`], adapt);
});
afterAll(async () => {
  await nginx.stop();
  upstream.close();
});

describe.each(Object.entries(LIMITERS))("the limit of the %s", (name, open) => {
  test.each(NETWORKS)(`${name} limits %s`, async (_network, clients, allowance) => {
    const request = await open();
    const statuses: number[] = [];
    for (const client of clients) statuses.push(await request(client));
    expect(new Set(statuses).difference(new Set([201, 429]))).toEqual(new Set());
    expect(statuses.filter((status) => status === 201)).toHaveLength(allowance);
  });
});

describe("the rate limit per client", () => {
  test("responds 429 with Retry-After past the limit, without affecting other clients or reads", async () => {
    const app = await context.openApp({ perClient: 3 });
    expect(await post(app, {}, {}, {})).toEqual([201, 201, 201]);
    const response = await send(app);
    expect(problemSchema.safeParse(response.json()).data?.status).toBe(429);
    expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(response.headers["retry-after"])).toBeLessThanOrEqual(60);
    expect(await post(app, { from: "192.0.2.2" })).toEqual([201]);
    expect((await app.inject({ url: STATS_PATH, remoteAddress: "192.0.2.1" })).statusCode).toBe(200);
  });

  test("believes X-Forwarded-For only from trusted proxies", async () => {
    const app = await context.openApp({ perClient: 1 }, { trustProxy: ["10.0.0.0/8"] });
    const visitor = (number: number) => ({ from: "192.0.2.9", forwardedFor: `203.0.113.${number}` });
    const proxied = (forwardedFor: string) => ({ from: "10.1.2.3", forwardedFor });
    expect(await post(app, visitor(1), visitor(2))).toEqual([201, 429]);
    // A forged entry precedes the one that our proxy appended.
    const clients = ["203.0.113.3", "203.0.113.4", "203.0.113.99, 203.0.113.4"];
    expect(await post(app, ...clients.map(proxied))).toEqual([201, 201, 429]);
    expect(await post(await context.openApp({ perClient: 1 }), visitor(1), visitor(2))).toEqual([201, 429]);
  });
});

describe("the rate limit per email address", () => {
  test("counts attempts with an address that is on the list, across spellings and clients", async () => {
    const app = await context.openApp({ perAddress: 2 });
    const spellings = ["mallory@example.com", "MALLORY@example.com", "Mallory@EXAMPLE.com", "mallory@example.com"];
    const senders = spellings.map((email, client) => ({ email, from: `192.0.2.${client}` }));
    expect(await post(app, ...senders)).toEqual([201, 409, 409, 429]);
  });

  test("never keeps a person off the list because someone else used their address in the honeypot", async () => {
    const app = await context.openApp({ perAddress: 2 });
    const email = "victim@example.com";
    expect(await post(app, ...times(10, { email, website: "https://spam.example" }))).toEqual(times(10, 201));
    expect(await post(app, { email }, { email })).toEqual([201, 409]);
  });
});

describe("rate limits in Redis", () => {
  async function twoInstances() {
    const redis = await startScratchRedis();
    onTestFinished(redis.stop);
    const instance = async () => {
      const client = openRedis(redis.url, () => {});
      onTestFinished(() => client.disconnect());
      await once(client, "ready");
      return context.openApp({ perClient: 4 }, { limiter: { redis: client, secret: unlimited.limiter.secret } });
    };
    return { redis, one: await instance(), two: await instance() };
  }

  test("are shared by all instances, under keys that contain no address", async () => {
    const { redis, one, two } = await twoInstances();
    const statuses: number[] = [];
    for (const instance of [one, two, one, two, one, two]) statuses.push(...(await post(instance, {})));
    expect(statuses).toEqual([201, 201, 201, 201, 429, 429]);
    const reader = new Redis(redis.url);
    const keys = await reader.keys("*");
    reader.disconnect();
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(key).toMatch(/^farwatch:[\w-]{43}$/);
  });

  const SIGNALS = ["SIGKILL", "SIGSTOP"] as const;
  test.each(SIGNALS)("fall back to counting per process after %s, without a single 5xx", async (signal) => {
    const { redis, one, two } = await twoInstances();
    expect([...(await post(one, {}, {})), ...(await post(two, {}))]).toEqual([201, 201, 201]);
    redis.signal(signal);
    const requests = Array.from({ length: 50 }, (_, i) => post(one, { from: `198.51.100.${i}` }));
    expect(new Set((await Promise.all(requests)).flat())).toEqual(new Set([201]));

    expect(await post(one, {}, {}, {})).toEqual([201, 201, 429]);
    expect(await post(two, {}, {}, {}, {})).toEqual([201, 201, 201, 429]);
    // Once Redis is known to be down, requests don't wait for it. A single one may still be slow on a busy machine.
    const times: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      const startedAt = performance.now();
      await post(one, { from: `192.0.2.${i}` });
      times.push(performance.now() - startedAt);
    }
    expect(Math.min(...times)).toBeLessThan(90);
  });
});
