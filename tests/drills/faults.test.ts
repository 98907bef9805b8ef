import { describe, expect, test } from "vitest";
import { cancelWaits } from "#tests/drills/faults/canceled-waits-drill.ts";
import { rollingDeploy } from "#tests/drills/faults/deploy-drill.ts";
import {
  exhaustConnections,
  fillDisk,
  freezePostgres,
  killPostgres,
  slowPostgres,
  stopPostgres,
} from "#tests/drills/faults/postgres-drills.ts";
import { idleConnections, overload, slowConnections } from "#tests/drills/faults/pressure-drills.ts";
import { breakRedis } from "#tests/drills/faults/redis-drills.ts";
import { clockSkew, killServers, rollingRestart } from "#tests/drills/faults/server-drills.ts";
import { failOver } from "#tests/drills/faults/standby-drill.ts";

/** The short set for CI; `npm run drill -- faults` runs all drills for longer, each with its control. */
describe.each([
  killPostgres(3),
  killServers(4),
  stopPostgres(3),
  slowPostgres(4),
  freezePostgres(3),
  exhaustConnections,
  fillDisk,
  failOver(1),
  cancelWaits(1),
  breakRedis("SIGKILL"),
  rollingRestart(1),
  rollingDeploy(1),
  overload(4),
  slowConnections(1000, 4),
  idleConnections(2000, 2),
  clockSkew,
])("$name, under load", ({ run }) => {
  test("loses and duplicates no acknowledged sign-up", async () => {
    const { acknowledged, ...found } = await run();
    expect(found).toEqual({ lost: 0, duplicated: 0, failures: [] });
    expect(acknowledged).toBeGreaterThan(100);
  }, 120_000);
});

describe("negative controls", () => {
  test("killing PostgreSQL with synchronous_commit off loses sign-ups", async () => {
    expect(await killPostgres(3).control()).toBe(true);
  }, 120_000);

  test("killing the primary with asynchronous replication loses sign-ups", async () => {
    expect(await failOver(1).control()).toBe(true);
  }, 120_000);

  test("canceling waits for the standby loses sign-ups if its warning is ignored or retries don't wait", async () => {
    expect(await cancelWaits(1).control()).toBe(true);
  }, 240_000);

  test("a rolling restart without graceful shutdown fails sign-ups", async () => {
    expect(await rollingRestart(1).control()).toBe(true);
  }, 120_000);
});
