import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { type FaultyProxy, startFaultyProxy, throughProxy } from "#tests/support/faulty-proxy.ts";
import { signalTree } from "#tests/support/process-tree.ts";
import { type Postgres, type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Drill, drill, MAX_RECOVERY_MS, NOT_RECOVERED, type Scenario } from "./drill.ts";
import { untilAcknowledged } from "./service.ts";

export interface PrimaryWithStandby extends Postgres {
  /** Cuts the connection between primary and standby until the failover. */
  cutStandby(): Promise<void>;
  /** Cancels or terminates every commit that waits for the standby. */
  endWaits(by: "cancel" | "terminate"): Promise<void>;
  /** Kills the primary, drops its replication traffic in flight, promotes the standby and adds a new standby to it. */
  failOver(): Promise<void>;
}

/** The replication lag: without synchronous replication, the writes in this window are lost with the primary. */
const REPLICATION_DELAY_MS = { synchronous: 20, asynchronous: 200 };

/** Nothing listens there. */
const NO_PORT = 1;

/** The servers connect through a proxy that always points at the primary, like a floating IP address. */
export async function startWithStandby(
  replication: "synchronous" | "asynchronous",
  delayMs = REPLICATION_DELAY_MS[replication],
): Promise<PrimaryWithStandby> {
  let primary = await startScratchPostgres();
  const proxy = await startFaultyProxy(portOf(primary));
  let standby: ScratchPostgres;
  let replicationProxy: FaultyProxy;

  async function addStandby(): Promise<void> {
    replicationProxy = await startFaultyProxy(portOf(primary));
    standby = await startScratchPostgres({ standbyOf: throughProxy(replicationProxy, primary.url) });
    replicationProxy.delayMs = delayMs;
    const names = replication === "synchronous" ? "*" : "";
    await execute(primary, `alter system set synchronous_standby_names = '${names}'`);
    await execute(primary, "select pg_reload_conf()");
  }

  await addStandby();
  return {
    url: throughProxy(proxy, primary.url),
    async cutStandby() {
      replicationProxy.target = NO_PORT;
      replicationProxy.dropConnections();
    },
    endWaits: (by) =>
      execute(primary, `select pg_${by}_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`),
    async failOver() {
      const dead = primary;
      signalTree(dead.pid(), "SIGKILL");
      await replicationProxy.stop();
      await execute(standby, "select pg_promote()");
      primary = standby;
      proxy.target = portOf(primary);
      proxy.dropConnections();
      await dead.stop();
      await addStandby();
    },
    async stop() {
      await proxy.stop();
      await standby.stop();
      await replicationProxy.stop();
      await primary.stop();
    },
  };
}

function portOf({ url }: Postgres): number {
  return Number(new URL(url).port);
}

async function execute({ url }: Postgres, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

export function failOver(times: number): Drill {
  const scenario: Scenario<PrimaryWithStandby> = async ({ postgres, clients }, check) => {
    for (let round = 0; round < times; round += 1) {
      await untilAcknowledged(clients);
      await pause(1500);
      await postgres.failOver();
      check((await untilAcknowledged(clients)) < MAX_RECOVERY_MS, NOT_RECOVERED);
    }
  };
  const replicated = (replication: "synchronous" | "asynchronous") => ({
    postgres: () => startWithStandby(replication),
  });
  return drill(`primary killed, standby promoted ${times} times`, replicated("synchronous"), scenario, [
    { without: "synchronous replication", by: replicated("asynchronous"), finds: "lost" },
  ]);
}
