import { setTimeout as pause } from "node:timers/promises";
import { executeOn } from "#tests/drills/harness/execute.ts";
import type { Keep } from "#tests/drills/harness/parts.ts";
import { underLoad } from "#tests/drills/harness/service.ts";
import { type FaultyProxy, startFaultyProxy, throughProxy } from "#tests/support/faulty-proxy.ts";
import { signalTree } from "#tests/support/process-tree.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { checkRecovery } from "./outage.ts";

type PrimaryWithStandby = Awaited<ReturnType<typeof startWithStandby>>;

/** The replication lag. Without synchronous replication, writes within this window are lost with the primary. */
const REPLICATION_DELAY_MS = { synchronous: 20, asynchronous: 200 };
/** A port on which nothing listens. */
const NO_PORT = 1;

/** The servers connect through a proxy that always points at the primary, like a floating IP address. */
async function startWithStandby(
  keep: Keep,
  replication: "synchronous" | "asynchronous" = "synchronous",
  delayMs = REPLICATION_DELAY_MS[replication],
) {
  let primary = await keep(startScratchPostgres());
  const proxy = await keep(startFaultyProxy(portOf(primary)));
  let standby: ScratchPostgres;
  let replicationProxy: FaultyProxy;

  async function addStandby(): Promise<void> {
    replicationProxy = await keep(startFaultyProxy(portOf(primary)));
    standby = await keep(startScratchPostgres({ standbyOf: throughProxy(replicationProxy, primary.url) }));
    replicationProxy.delayMs = delayMs;
    const names = replication === "synchronous" ? "*" : "";
    await executeOn(primary.url, `alter system set synchronous_standby_names = '${names}'`);
    await executeOn(primary.url, "select pg_reload_conf()");
  }

  await addStandby();
  return {
    url: throughProxy(proxy, primary.url),
    /** Kills the primary, drops its replication traffic in flight, promotes the standby and gives it a new standby. */
    async failOver() {
      signalTree(primary.pid(), "SIGKILL");
      replicationProxy.target = NO_PORT;
      replicationProxy.dropConnections();
      await executeOn(standby.url, "select pg_promote()");
      primary = standby;
      proxy.target = portOf(primary);
      proxy.dropConnections();
      await addStandby();
    },
  };
}

function portOf({ url }: { url: string }): number {
  return Number(new URL(url).port);
}

export const failOver = underLoad<PrimaryWithStandby>({
  breaks: "primary killed, standby promoted",
  shows: "the standby has every acknowledged sign-up",
  postgres: startWithStandby,
  times: { short: 1, full: 5 },
  async scenario(service, times) {
    for (let round = 0; round < times; round += 1) {
      await service.ledger.untilAcknowledged();
      await pause(1500);
      await service.postgres.failOver();
      await checkRecovery(service);
    }
  },
  controls: [
    {
      without: "synchronous replication",
      finds: "lost",
      postgres: (keep) => startWithStandby(keep, "asynchronous"),
    },
  ],
});
