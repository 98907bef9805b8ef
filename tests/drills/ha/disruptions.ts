import { setTimeout as pause } from "node:timers/promises";
import type { Ledger } from "#tests/drills/harness/ledger.ts";
import { adapt } from "#tests/support/guide.ts";
import { type Cluster, NAMES } from "./cluster.ts";

interface Scene {
  cluster: Cluster;
  ledger: Ledger;
  leader: string;
  syncStandby: string;
  other: string;
}

/** A disruption ends when sign-ups are acknowledged again. Then repair() may bring machines back. */
export interface Disruption {
  name: string;
  /** Isn't part of the time for which sign-ups fail. Returns the new roles. */
  prepare?(scene: Scene): Promise<Scene>;
  run(scene: Scene): Promise<void>;
  repair?(scene: Scene): Promise<void>;
}

export const MORE_THAN_IN_FLIGHT = 20;
/** Longer than Patroni's ttl of 15 s plus election and promotion, so a frozen primary has a successor by then. */
const FROZEN_MS = 30_000;
/** A thawed Patroni needs this long to notice the successor. */
const THAWED_MS = 6000;

const cutOff = async ({ rack, the }: Cluster, name: string) => {
  rack.network.setCable(name, "down");
  await the(name).kill();
};
const bringBack = async (cluster: Cluster, name: string) => {
  cluster.rack.network.setCable(name, "up");
  await cluster.boot(name);
};

const kill: Disruption = {
  name: "the primary's machine loses power and its network",
  run: ({ cluster, leader }) => cutOff(cluster, leader),
  repair: ({ cluster, leader }) => bringBack(cluster, leader),
};

/** Without synchronous replication, this loses sign-ups, because the standbys lag by a second. */
export const killLagging: Disruption = {
  ...kill,
  async run(scene) {
    const senders = `su postgres -c "psql -At -c 'select pid from pg_stat_replication'"`;
    await scene.cluster.the(scene.leader).type(`kill -STOP $(${senders})`);
    await pause(1000);
    await kill.run(scene);
  },
};

const freeze = (name: string, which: "all" | "main"): Disruption => ({
  name,
  async run({ cluster, leader, ledger }) {
    const signal = (to: string) =>
      cluster.the(leader).type(`systemctl kill --kill-whom=${which} --signal=${to} farwatch-patroni`);
    await signal("STOP");
    const thawed = pause(FROZEN_MS).then(() => signal("CONT"));
    await ledger.untilAcknowledged(MORE_THAN_IN_FLIGHT);
    await thawed;
    await pause(THAWED_MS);
  },
});

/** On waking, PostgreSQL and Patroni believe this machine is still the primary, but another has taken over. */
const freezeBoth = freeze("PostgreSQL and Patroni freeze for 30 s", "all");

/** PostgreSQL stays primary without Patroni. Only the lack of a standby keeps it from acknowledging writes. */
export const freezePatroni = freeze("Patroni freezes for 30 s, PostgreSQL doesn't", "main");

const switchOver: Disruption = {
  name: "switchover",
  async run({ cluster: { guide, the }, leader }) {
    const [switchover = ""] = guide.blocks("Maintenance");
    await the(leader).type(adapt(switchover, { "--leader one": `--leader ${leader}` }));
  },
};

const loseQuorum: Disruption = {
  name: "two of three etcds are gone for 30 s",
  async run({ cluster: { the }, leader }) {
    const two = NAMES.filter((name) => name !== leader);
    const kill = "systemctl kill --signal=KILL farwatch-etcd; systemctl stop farwatch-etcd";
    await Promise.all(two.map((name) => the(name).type(kill)));
    await pause(FROZEN_MS);
    await Promise.all(two.map((name) => the(name).type("systemctl start farwatch-etcd")));
  },
};

/** The absent standby must follow two promotions within one WAL segment, to the only machine that is left. */
const loseTwo: Disruption = {
  name: "the sync standby loses power, then the primary",
  async prepare(scene) {
    const { cluster, leader, syncStandby, other } = scene;
    await cutOff(cluster, syncStandby);
    await cluster.untilComplete(syncStandby);
    await switchOver.run(scene);
    await cluster.untilComplete(syncStandby);
    return { ...scene, leader: other, other: leader };
  },
  async run({ cluster, leader, syncStandby }) {
    await cutOff(cluster, leader);
    await bringBack(cluster, syncStandby);
  },
  repair: ({ cluster, leader }) => bringBack(cluster, leader),
};

const replaceStandby: Disruption = {
  name: "the sync standby is replaced by a bare machine",
  async run({ cluster, leader, syncStandby }) {
    await cutOff(cluster, syncStandby);
    cluster.rack.network.setCable(syncStandby, "up");
    await cluster.replace(syncStandby, leader);
  },
};

export const DISRUPTIONS = [switchOver, kill, freezeBoth, freezePatroni, loseQuorum, loseTwo, replaceStandby];
