import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { createApp } from "#server/app.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useTestDatabase();
let app: FastifyInstance;
beforeAll(async () => {
  app = await createApp({ db: context.db, ...unlimited });
});
afterAll(() => app.close());

describe("the stats response", () => {
  test("may be cached for a second, and for a day while the server is down", async () => {
    const response = await app.inject(STATS_PATH);
    expect(response.headers["cache-control"]).toBe(
      "public, max-age=1, stale-while-revalidate=10, stale-if-error=86400",
    );
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  test("is read from the database once a second, however many requests arrive", async () => {
    const fresh = await createApp({ db: context.db, ...unlimited });
    const bodies = async () =>
      new Set((await Promise.all(Array.from({ length: 300 }, () => fresh.inject(STATS_PATH)))).map(({ body }) => body));
    expect(await bodies()).toEqual(new Set(['{"data":{"totalUsers":0,"companiesInterested":0}}']));
    await app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() });
    expect(await bodies()).toEqual(new Set(['{"data":{"totalUsers":0,"companiesInterested":0}}']));
    await expect
      .poll(async () => (await fresh.inject(STATS_PATH)).body, { timeout: 3000 })
      .toBe('{"data":{"totalUsers":1,"companiesInterested":0}}');
    await fresh.close();
  });
});
