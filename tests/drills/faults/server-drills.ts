import { globSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "#core/database/connect.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Drill, drill, MAX_RECOVERY_MS, NOT_RECOVERED } from "./drill.ts";
import { type ServiceOptions, untilAcknowledged } from "./service.ts";

const balanced = { postgres: startScratchPostgres, isBalanced: true };

/** Clients retry what the killed server may or may not have written. */
export function killServers(times: number): Drill {
  const options: ServiceOptions<ScratchPostgres> = {
    ...balanced,
    env: { LIMIT_PER_ADDRESS: "1000000000" },
    clients: { retries: "until acknowledged" },
  };
  return drill(
    `server behind HAProxy killed ${times} times`,
    options,
    async (service, check) => {
      for (let kill = 0; kill < times; kill += 1) {
        await pause(300 + Math.random() * 500);
        const index = kill % service.servers.length;
        process.kill(service.servers[index]?.pid ?? 0, "SIGKILL");
        check((await untilAcknowledged(service.clients)) < MAX_RECOVERY_MS, NOT_RECOVERED);
        await service.replace(index);
      }
      const { refusedRetries } = service.clients.ledger;
      check(refusedRetries === 0, `${refusedRetries} retries with an idempotency key got a 409`);
    },
    [
      { without: "a commit before the response", by: { preload: "acknowledge-early" }, finds: "lost" },
      { without: "the unique index", by: { preload: "accept-duplicates" }, finds: "duplicated" },
      {
        without: "idempotency keys",
        by: { preload: "ignore-idempotency-keys" },
        finds: /retries with an idempotency key got a 409$/,
      },
    ],
  );
}

export function rollingRestart(times: number): Drill {
  return drill(
    `rolling restart behind HAProxy, ${times} times`,
    balanced,
    async (service, check) => {
      for (let round = 0; round < times; round += 1) {
        for (const index of service.servers.keys()) {
          // Long enough for HAProxy's health check to see that the previously restarted server is back.
          await pause(1000);
          await service.replace(index);
        }
      }
      const { statuses } = service.clients.ledger;
      check([...statuses.keys()].join() === "201", `a sign-up failed: statuses ${JSON.stringify([...statuses])}`);
    },
    [
      { without: "graceful shutdown", by: { preload: "stop-at-once" }, finds: /^a sign-up failed/ },
      // Fails only a few sign-ups per restart, on connections that HAProxy was about to reuse.
      { without: "draining", by: { env: { DRAIN_MS: "0" } }, finds: /^a sign-up failed/ },
    ],
  );
}

const HOUR_MS = 3_600_000;
/** A little less than the hour by which the clocks are set wrong. */
const MIN_SKEW_MS = 0.95 * HOUR_MS;

// Preloaded, because the faketime command stays the parent process, and stopping it wouldn't stop the server.
const [faketime] = globSync("/usr/lib/*/faketime/libfaketime.so.1");
const wrappers = ["+1h", "-1h"].map((offset) => [
  ...["env", `LD_PRELOAD=${faketime}`, "FAKETIME_DONT_FAKE_MONOTONIC=1", `FAKETIME=${offset}`],
]);

/** One server's clock is an hour ahead of PostgreSQL's, the other's an hour behind. */
export const clockSkew: Drill = drill(
  "clock skew of +1 h and -1 h",
  { postgres: startScratchPostgres, wrappers },
  async ({ postgres, servers }, check) => {
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
    check(joinedSkewMs < 60_000, `joined_at is off by ${joinedSkewMs} ms`);
  },
  [{ without: "PostgreSQL's clock", by: { preload: "use-own-clock" }, finds: /^joined_at is off/ }],
);
