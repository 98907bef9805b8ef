import { describe, expect, test } from "vitest";
import {
  fillDisk,
  freezePostgres,
  holdConnections,
  killPostgres,
  slowPostgres,
  stopPostgres,
} from "#tests/drills/faults/postgres-drills.ts";
import { idleConnections, overload, slowConnections } from "#tests/drills/faults/pressure-drills.ts";
import { breakRedis } from "#tests/drills/faults/redis-drills.ts";
import { replaceBuild } from "#tests/drills/faults/replacement-drill.ts";
import { killServers, rollingRestart, wrongClocks } from "#tests/drills/faults/server-drills.ts";
import { failOver } from "#tests/drills/faults/standby-drill.ts";

/** The short set; `npm run drill -- faults` runs all of it, for longer, each with its control. */
describe.each([
  killPostgres(3),
  killServers(4),
  stopPostgres(3),
  slowPostgres(4),
  freezePostgres(3),
  holdConnections,
  fillDisk,
  failOver(1),
  breakRedis("SIGKILL"),
  rollingRestart(1),
  replaceBuild(1),
  overload(4),
  slowConnections(1000, 4),
  idleConnections(2000, 2),
  wrongClocks,
])("$name, under load", ({ run }) => {
  test("nothing acknowledged is lost or doubled", async () => {
    const { acknowledged, ...found } = await run();
    expect(found).toEqual({ lost: 0, duplicated: 0, broken: [] });
    expect(acknowledged).toBeGreaterThan(100);
  }, 120_000);
});

describe("the controls fail, as they must", () => {
  test("with synchronous_commit off, PostgreSQL killed loses sign-ups", async () => {
    expect(await killPostgres(3).control()).toBe(true);
  }, 120_000);

  test("with a standby that nobody waits for, the primary killed loses sign-ups", async () => {
    expect(await failOver(1).control()).toBe(true);
  }, 120_000);

  test("servers that are killed instead of drained fail visitors", async () => {
    expect(await rollingRestart(1).control()).toBe(true);
  }, 120_000);
});
