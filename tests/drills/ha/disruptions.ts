import { setTimeout as pause } from "node:timers/promises";
import type { Ledger } from "#tests/drills/faults/clients.ts";
import type { Cluster } from "./cluster.ts";
import { readLeader, readSyncStandby, untilAllReplicate } from "./members.ts";
import type { PatroniNode } from "./node.ts";
import { untilWritesAreBack } from "./write-gap.ts";

/** One thing that goes wrong. It returns when sign-ups are acknowledged again. */
export interface Disruption {
  name: string;
  /** How often, in a full run. */
  rounds: number;
  /** Whether every sign-up is refused for a while. */
  isOutage: boolean;
  run: (cluster: Cluster, leader: PatroniNode, ledger: Ledger) => Promise<void>;
  /** Brings back the machines that are gone. */
  repair: (cluster: Cluster) => Promise<void>;
}

/** Longer than Patroni's ttl of 15 s plus the time to elect and promote: the frozen primary has a successor by then. */
const FROZEN_MS = 30_000;
const WITHOUT_QUORUM_MS = 30_000;

const restart = async ({ nodes }: Cluster) => {
  for (const node of nodes) if (!node.isRunning()) node.start();
};
const nothing = async () => {};

export const crash: Disruption = {
  name: "primary killed",
  rounds: 10,
  isOutage: true,
  async run(_, leader, ledger) {
    await leader.kill();
    await untilWritesAreBack(ledger);
  },
  repair: restart,
};

async function runFrozen(leader: PatroniNode, which: "both" | "Patroni", ledger: Ledger): Promise<void> {
  const thawed = pause(FROZEN_MS).then(() => leader.signal("SIGCONT"));
  leader.signal("SIGSTOP", which);
  await untilWritesAreBack(ledger);
  await thawed;
  // As long as Patroni needs to notice.
  await pause(6000);
  await untilWritesAreBack(ledger);
}

/** PostgreSQL and Patroni stop, have a successor, and wake up believing that they are the primary. */
export const freeze: Disruption = {
  name: "primary frozen",
  rounds: 10,
  isOutage: true,
  run: (_, leader, ledger) => runFrozen(leader, "both", ledger),
  repair: nothing,
};

export const switchOver: Disruption = {
  name: "switchover by command",
  rounds: 10,
  isOutage: false,
  async run(_, leader, ledger) {
    await leader.patronictl("switchover", "farwatch", "--leader", leader.name, "--force");
    await untilWritesAreBack(ledger);
  },
  repair: nothing,
};

/** For maintenance of the primary's machine. */
export const stopPrimary: Disruption = {
  name: "primary stopped by its service",
  rounds: 3,
  isOutage: false,
  async run(_, leader, ledger) {
    await leader.stop();
    await untilWritesAreBack(ledger);
  },
  repair: restart,
};

export const loseQuorum: Disruption = {
  name: "etcd without quorum",
  rounds: 3,
  isOutage: true,
  async run({ etcds }, _, ledger) {
    await etcds.loseQuorum();
    await pause(WITHOUT_QUORUM_MS);
    etcds.regainQuorum();
    await untilWritesAreBack(ledger);
  },
  repair: nothing,
};

/**
 * The second loss comes only when the remaining standby has become the synchronous one. It becomes the primary, but in
 * strict mode accepts nothing until it has a standby again.
 */
export const loseTwo: Disruption = {
  name: "standby killed, then the primary",
  rounds: 3,
  isOutage: true,
  async run(cluster, leader, ledger) {
    const standby = await readSyncStandby(cluster);
    await standby?.kill();
    let last = standby;
    for (; !last || last === standby; await pause(200)) last = await readSyncStandby(cluster);
    await untilWritesAreBack(ledger);
    await leader.kill();
    while ((await readLeader(cluster)) !== last) await pause(200);
    standby?.start();
    await untilWritesAreBack(ledger);
  },
  repair: restart,
};

/** PostgreSQL goes on as a primary that nobody controls; only its missing standby keeps it from acknowledging. */
export const freezePatroni: Disruption = {
  ...freeze,
  name: "Patroni frozen, PostgreSQL not",
  rounds: 3,
  run: (_, leader, ledger) => runFrozen(leader, "Patroni", ledger),
};

/** Waits until the cluster is complete, lets it work for a while, and returns its leader. */
export async function untilSteady(cluster: Cluster, ledger: Ledger): Promise<PatroniNode> {
  await untilAllReplicate(cluster);
  await untilWritesAreBack(ledger);
  await pause(1000);
  return untilAllReplicate(cluster);
}
