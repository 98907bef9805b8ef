import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { IDEMPOTENCY_KEY_HEADER } from "#contract/sign-up.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { verifyTotals } from "#core/sign-ups/totals.ts";
import { createApp } from "#server/app.ts";
import { signalTree } from "#tests/support/process-tree.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

let postgres: ScratchPostgres;
let db: Database;
let app: FastifyInstance;
beforeAll(async () => {
  postgres = await startScratchPostgres();
  db = connect(postgres.url, { timeoutMs: 1000 });
  await migrateAll(db);
  app = await createApp({ db, ...unlimited });
}, 30_000);
afterAll(async () => {
  await app.close();
  await db.destroy();
});

interface Attempt {
  signUp: ReturnType<typeof aSignUp>;
  key: string;
}
const anAttempt = (): Attempt => ({ signUp: aSignUp({ company: "Acme" }), key: randomBytes(16).toString("hex") });

async function send({ signUp, key }: Attempt) {
  const startedAt = performance.now();
  const response = await app.inject({
    method: "POST",
    url: WAITLIST_PATH,
    payload: signUp,
    headers: { [IDEMPOTENCY_KEY_HEADER]: key },
  });
  return {
    status: response.statusCode,
    retryAfter: response.headers["retry-after"],
    ms: performance.now() - startedAt,
  };
}

test("while PostgreSQL is frozen, sign-ups get a 503 within 2 s and the stats stay; then it recovers", async () => {
  expect((await send(anAttempt())).status).toBe(201);
  const stats = (await app.inject(STATS_PATH)).body;
  signalTree(postgres.pid(), "SIGSTOP");

  const attempts = Array.from({ length: 40 }, anAttempt);
  const responses = await Promise.all(
    attempts.map(async (attempt, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 50));
      return send(attempt);
    }),
  );
  for (const { status, retryAfter, ms } of responses) {
    expect(status).toBe(503);
    expect(retryAfter).toBe("5");
    expect(ms).toBeLessThan(2000);
  }
  expect((await app.inject(STATS_PATH)).body).toBe(stats);

  signalTree(postgres.pid(), "SIGCONT");
  await expect.poll(async () => (await send(anAttempt())).status, { timeout: 10_000, interval: 200 }).toBe(201);
  // A retry succeeds whether or not the first attempt was written after all.
  for (const attempt of attempts) expect((await send(attempt)).status).toBe(201);
  expect(await verifyTotals(db)).toMatchObject({ exact: true });
}, 30_000);

test("while PostgreSQL is down, sign-ups get a 503 within 300 ms and the last good stats are served", async () => {
  const stats = (await app.inject(STATS_PATH)).body;
  await postgres.stop();
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { status, ms } = await send(anAttempt());
    expect(status).toBe(503);
    expect(ms).toBeLessThan(300);
  }
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect((await app.inject(STATS_PATH)).body).toBe(stats);
}, 30_000);
