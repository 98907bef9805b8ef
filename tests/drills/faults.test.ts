import { describe, expect, test } from "vitest";
import { breakRedis, freezePostgres, holdConnections, killPostgres, stopPostgres } from "#tests/faults/drills.ts";

/** The short set; `npm run faults` runs all of it, for longer, each with its control. */
describe.each([killPostgres(3), stopPostgres(3), freezePostgres(3), holdConnections, breakRedis("SIGKILL")])(
  "$name, under load",
  ({ run }) => {
    test("nothing acknowledged is lost or doubled", async () => {
      const { acknowledged, lost, duplicated, broken } = await run();
      expect({ lost, duplicated, broken }).toEqual({ lost: 0, duplicated: 0, broken: [] });
      expect(acknowledged).toBeGreaterThan(100);
    }, 120_000);
  },
);

test("its control: with synchronous_commit off, PostgreSQL killed loses sign-ups", async () => {
  expect((await killPostgres(3).control()).lost).toBeGreaterThan(0);
}, 120_000);
