import { globSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "#core/database/connect.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Drill, drill, MAX_RECOVERY_MS, NOT_RECOVERED, runScenario, type Scenario } from "./drill.ts";
import { untilAcknowledged } from "./service.ts";

const balanced = { postgres: startScratchPostgres, isBalanced: true };

export function killServers(times: number): Drill {
  return drill(`server behind HAProxy killed ${times} times`, balanced, async (service, check) => {
    for (let kill = 0; kill < times; kill += 1) {
      await pause(300 + Math.random() * 500);
      const index = kill % service.servers.length;
      process.kill(service.servers[index]?.pid ?? 0, "SIGKILL");
      check((await untilAcknowledged(service.clients)) < MAX_RECOVERY_MS, NOT_RECOVERED);
      await service.replace(index);
    }
  });
}

export function rollingRestart(times: number): Drill {
  const restart =
    (shutdown: "graceful" | "killed"): Scenario<ScratchPostgres> =>
    async (service, check) => {
      for (let round = 0; round < times; round += 1) {
        for (const [index, { pid }] of service.servers.entries()) {
          // Long enough for HAProxy's health check to see that the previously restarted server is back.
          await pause(1000);
          if (shutdown === "killed") process.kill(pid, "SIGKILL");
          await service.replace(index);
        }
      }
      const { statuses } = service.clients.ledger;
      check([...statuses.keys()].join() === "201", `a sign-up failed: statuses ${JSON.stringify([...statuses])}`);
    };
  return {
    name: `rolling restart behind HAProxy, ${times} times`,
    run: () => runScenario(balanced, restart("graceful")),
    control: async () => (await runScenario(balanced, restart("killed"))).failures.length > 0,
  };
}

const HOUR_MS = 3_600_000;
/** A little less than the hour by which the clocks are set wrong. */
const MIN_SKEW_MS = 0.95 * HOUR_MS;

/** One server's clock is an hour ahead of PostgreSQL's, the other's an hour behind. */
function withSkewedClocks(isCorrect: (joinedSkewMs: number, clockSkewMs: number) => boolean) {
  // Preloaded, because the faketime command stays the parent process, and stopping it wouldn't stop the server.
  const [library] = globSync("/usr/lib/*/faketime/libfaketime.so.1");
  const faked = ["env", `LD_PRELOAD=${library}`, "FAKETIME_DONT_FAKE_MONOTONIC=1"];
  const wrappers = ["+1h", "-1h"].map((offset) => [...faked, `FAKETIME=${offset}`]);
  return runScenario({ postgres: startScratchPostgres, wrappers }, async ({ postgres, servers }, check) => {
    await pause(3000);
    const clocks = await Promise.all(
      servers.map(async ({ origin }) => Date.parse((await fetch(origin)).headers.get("date") ?? "")),
    );
    const clockSkewMs = Math.min(...clocks.map((clock) => Math.abs(clock - Date.now())));
    const db = connect(postgres.url);
    const joined = await db.selectFrom("sign_ups").select("joined_at").execute();
    await db.destroy();
    const joinedSkewMs = Math.max(...joined.map(({ joined_at }) => Math.abs(joined_at.getTime() - Date.now())));
    check(clockSkewMs > MIN_SKEW_MS, "the servers' clocks were not skewed");
    check(isCorrect(joinedSkewMs, clockSkewMs), `joined_at is off by ${joinedSkewMs} ms`);
  });
}

export const clockSkew: Drill = {
  name: "clock skew of +1 h and -1 h",
  run: () => withSkewedClocks((joinedSkewMs) => joinedSkewMs < 60_000),
  // The same check on the servers' clocks, which would be wrong if joined_at came from them.
  control: async () => (await withSkewedClocks((_, clockSkewMs) => clockSkewMs < 60_000)).failures.length > 0,
};
