import { setTimeout as pause } from "node:timers/promises";
import type { ClusterOptions } from "./cluster.ts";
import {
  crash,
  type Disruption,
  freeze,
  freezePatroni,
  loseQuorum,
  loseTwo,
  stopPrimary,
  switchOver,
} from "./disruptions.ts";
import type { PatroniNode } from "./node.ts";

/** The same disruption without what protects from losing sign-ups; it must lose some. */
export interface HaControl {
  disruption: Disruption;
  /** 1 by default. */
  rounds?: number;
  options?: ClusterOptions;
}

const asynchronous = { isSynchronous: false };

/** The standbys miss the last second. */
const crashAfterLag: Disruption["run"] = async (cluster, leader, ledger) => {
  leader.freezeWalSenders();
  await pause(1000);
  await crash.run(cluster, leader, ledger);
};

const standbyOf = (nodes: PatroniNode[], leader: PatroniNode) => nodes.find((node) => node !== leader);

/** Like an operator who makes a standby the primary without asking Patroni. */
const promoteByHand = async (nodes: PatroniNode[], leader: PatroniNode) => {
  await standbyOf(nodes, leader)?.psql("select pg_promote()");
  await pause(2000);
};

const afterPromotionByHand = (disruption: Disruption): HaControl => ({
  disruption: {
    ...disruption,
    async run(cluster, leader, ledger) {
      await promoteByHand(cluster.nodes, leader);
      await disruption.run(cluster, leader, ledger);
    },
  },
  options: asynchronous,
});

const loseTwoAfterLag: Disruption = {
  ...loseTwo,
  async run(cluster, leader, ledger) {
    await standbyOf(cluster.nodes, leader)?.kill();
    await crashAfterLag(cluster, leader, ledger);
  },
};

export const controls = new Map<Disruption, HaControl>([
  [crash, { disruption: { ...crash, run: crashAfterLag }, options: asynchronous }],
  // Patroni 3.0.2 renews the leader key without a compare there. It is a race, which the frozen primary wins more often
  // with longer loops.
  [freeze, { disruption: freeze, rounds: 3, options: { api: "v3", loopWait: 5 } }],
  [freezePatroni, { disruption: freezePatroni, options: asynchronous }],
  [switchOver, afterPromotionByHand(switchOver)],
  [stopPrimary, afterPromotionByHand(stopPrimary)],
  [loseQuorum, afterPromotionByHand(loseQuorum)],
  [loseTwo, { disruption: loseTwoAfterLag, options: asynchronous }],
]);
