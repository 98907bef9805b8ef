import { describe, expect, test } from "vitest";
import { cancelWaits } from "#tests/drills/faults/canceled-waits-drill.ts";
import { rollingDeploy } from "#tests/drills/faults/deploy-drill.ts";
import { fillDisk } from "#tests/drills/faults/disk-drill.ts";
import { runControl } from "#tests/drills/faults/drill.ts";
import {
  exhaustConnections,
  freezePostgres,
  killPostgres,
  slowPostgres,
  stopPostgres,
} from "#tests/drills/faults/postgres-drills.ts";
import { idleConnections, slowConnections } from "#tests/drills/faults/pressure-drills.ts";
import { breakRedis } from "#tests/drills/faults/redis-drills.ts";
import { clockSkew, killServers, rollingRestart } from "#tests/drills/faults/server-drills.ts";
import { failOver } from "#tests/drills/faults/standby-drill.ts";

/**
 * The short set for CI; `npm run drill -- faults` runs all drills for longer, each with all of its controls. Overload is
 * left to it, because it compares throughput by wall clock, which a busy machine fails.
 */
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

/** The first control of each drill that has a quick and reliable one; all of them would take as long as the drills. */
const controls = [
  killPostgres(3),
  killServers(3),
  stopPostgres(1),
  freezePostgres(3),
  exhaustConnections,
  failOver(1),
  cancelWaits(1),
  breakRedis("SIGKILL"),
  rollingRestart(1),
  clockSkew,
].flatMap(({ name, controls }) => controls.slice(0, 1).map((control) => ({ name, ...control })));

describe("negative controls", () => {
  test.each(controls)(
    "$name, without $without: the drill notices",
    async (control) => {
      expect(await runControl(control)).toMatchObject({ controlFailed: true });
    },
    120_000,
  );
});
