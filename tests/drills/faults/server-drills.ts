import { globSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "#core/database/connect.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Act, type Drill, drill, MAX_RECOVERY_MS, perform } from "./drill.ts";
import { untilTaken } from "./service.ts";

const balanced = { postgres: startScratchPostgres, isBalanced: true };

export function killServers(times: number): Drill {
  return drill(`kill -9 of a server behind HAProxy, ${times} times`, balanced, async (service, check) => {
    for (let time = 0; time < times; time += 1) {
      await pause(300 + Math.random() * 500);
      const place = time % service.servers.length;
      process.kill(service.servers[place]?.pid ?? 0, "SIGKILL");
      check((await untilTaken(service.crowd)) < MAX_RECOVERY_MS, "taken again within 10 s");
      await service.replace(place);
    }
  });
}

export function rollingRestart(times: number): Drill {
  const restart =
    (how: "drained" | "killed"): Act<ScratchPostgres> =>
    async (service, check) => {
      for (let time = 0; time < times; time += 1) {
        for (const [place, { pid }] of service.servers.entries()) {
          // Long enough for the balancer to see that the last one is back.
          await pause(1000);
          if (how === "killed") process.kill(pid, "SIGKILL");
          await service.replace(place);
        }
      }
      const { statuses } = service.crowd.ledger;
      check([...statuses.keys()].join() === "201", `everybody is in: ${JSON.stringify([...statuses])}`);
    };
  return {
    name: `rolling restart behind HAProxy, ${times} times`,
    run: () => perform(balanced, restart("drained")),
    control: async () => (await perform(balanced, restart("killed"))).broken.length > 0,
  };
}

const HOUR_MS = 3_600_000;
/** Somewhat less than the hour by which they are off. */
const FAR_OFF_MS = 0.95 * HOUR_MS;

/** One server an hour ahead of PostgreSQL, one an hour behind. */
function withWrongClocks(check: (joinedOffMs: number, clocksOffMs: number) => boolean) {
  // Not by the command faketime: it stays between us and the server, and would be all that we stop.
  const [library] = globSync("/usr/lib/*/faketime/libfaketime.so.1");
  const faked = ["env", `LD_PRELOAD=${library}`, "FAKETIME_DONT_FAKE_MONOTONIC=1"];
  const under = ["+1h", "-1h"].map((offset) => [...faked, `FAKETIME=${offset}`]);
  return perform({ postgres: startScratchPostgres, under }, async ({ postgres, servers }, report) => {
    await pause(3000);
    const clocks = await Promise.all(
      servers.map(async ({ origin }) => Date.parse((await fetch(origin)).headers.get("date") ?? "")),
    );
    const clocksOffMs = Math.min(...clocks.map((clock) => Math.abs(clock - Date.now())));
    const db = connect(postgres.url);
    const joined = await db.selectFrom("sign_ups").select("joined_at").execute();
    await db.destroy();
    const joinedOffMs = Math.max(...joined.map(({ joined_at }) => Math.abs(joined_at.getTime() - Date.now())));
    report(clocksOffMs > FAR_OFF_MS, "the clocks are wrong");
    report(check(joinedOffMs, clocksOffMs), `everybody joined just now, not ${joinedOffMs} ms ago`);
  });
}

export const wrongClocks: Drill = {
  name: "clocks an hour off, one ahead and one behind",
  run: () => withWrongClocks((joinedOffMs) => joinedOffMs < 60_000),
  // The same by the servers' own clocks: were they asked for the time, it would be wrong.
  control: async () => (await withWrongClocks((_, clocksOffMs) => clocksOffMs < 60_000)).broken.length > 0,
};
