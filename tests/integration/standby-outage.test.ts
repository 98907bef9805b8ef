import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { createApp } from "#server/app.ts";
import { type LonePrimary, startLonePrimary } from "#tests/support/lone-primary.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

let primary: LonePrimary;
const dbs: Database[] = [];
const apps: FastifyInstance[] = [];

beforeAll(async () => {
  primary = await startLonePrimary();
  for (let server = 0; server < 2; server += 1) {
    const db = connect(primary.url, { timeoutMs: 500 });
    dbs.push(db);
    apps.push(await createApp({ db, ...unlimited }));
  }
}, 30_000);
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await Promise.all(dbs.map((db) => db.destroy()));
  await primary.stop();
});

let clients = 0;

/** Each from another network, because bots have a limit of their own. */
async function send(server: number, website = "") {
  const startedAt = performance.now();
  clients += 1;
  const request = { method: "POST", url: WAITLIST_PATH, remoteAddress: `10.${clients}.0.1` } as const;
  const response = await apps[server]?.inject({ ...request, payload: aSignUp({ website }) });
  return {
    status: response?.statusCode,
    retryAfter: response?.headers["retry-after"],
    ms: performance.now() - startedAt,
  };
}

test("while the standby is gone, two servers leave a few commits waiting, refuse at once, and recover", async () => {
  for (const server of [0, 1]) expect((await send(server)).status).toBe(201);
  await primary.setStandby("missing");

  // Each server meets the outage with one batch of people and one of bots.
  const first = await Promise.all([send(0), send(1), send(0, "bot"), send(1, "bot")]);
  expect(first.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  for (let attempt = 0; attempt < 66; attempt += 1) {
    const { status, retryAfter, ms } = await send(attempt % 2, attempt > 40 ? "bot" : "");
    expect([status, retryAfter]).toEqual([503, "5"]);
    expect(ms).toBeLessThan(300);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect((await apps[0]?.inject(STATS_PATH))?.statusCode).toBe(200);
  // Four batches and at most one probe per server.
  expect(await primary.waits()).toBeLessThanOrEqual(6);

  await primary.setStandby("not needed");
  for (const server of [0, 1]) {
    await expect.poll(async () => (await send(server)).status, { timeout: 5000, interval: 100 }).toBe(201);
  }
  expect(await primary.waits()).toBe(0);
}, 60_000);
