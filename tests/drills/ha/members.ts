import { setTimeout as pause } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { PatroniNode } from "./node.ts";

interface Member {
  name: string;
  role: "leader" | "sync_standby" | "replica";
  state: string;
  timeline?: number;
  lag?: number | string;
}

const MAX_LAG_BYTES = 16 * 1024 * 1024;
/** A machine that has not caught up by then is reinitialized, as the guide says. */
const REINIT_AFTER_MS = 60_000;
const GIVE_UP_AFTER_MS = 180_000;

/** What the Patronis that respond say about the cluster; none while there is no quorum. */
async function readMembers({ nodes }: Pick<Cluster, "nodes">): Promise<Member[]> {
  for (const { patroniPort } of nodes) {
    try {
      const response = await fetch(`http://127.0.0.1:${patroniPort}/cluster`, { signal: AbortSignal.timeout(1000) });
      const { members } = (await response.json()) as { members: Member[] };
      if (members.some(({ role }) => role === "leader")) return members;
    } catch {
      // Dead, frozen or not started yet: ask the next.
    }
  }
  return [];
}

const isReplicating = ({ role, state, timeline, lag }: Member, leader: Member) =>
  role === "leader" ||
  (["running", "streaming"].includes(state) && timeline === leader.timeline && Number(lag) < MAX_LAG_BYTES);

/** Waits until the leader and both standbys are there, one of them synchronous, and returns the leader. */
export async function untilAllReplicate(cluster: Pick<Cluster, "nodes" | "isSynchronous">): Promise<PatroniNode> {
  const startedAt = performance.now();
  let reinitialized = false;
  for (; ; await pause(500)) {
    const members = await readMembers(cluster);
    const leader = members.find(({ role, state }) => role === "leader" && state === "running");
    const late = leader ? members.filter((member) => !isReplicating(member, leader)) : [];
    const synchronous = members.filter(({ role }) => role === "sync_standby");
    const isComplete = members.length === cluster.nodes.length && late.length === 0;
    if (leader && isComplete && synchronous.length === (cluster.isSynchronous ? 1 : 0)) return nodeOf(cluster, leader);
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > GIVE_UP_AFTER_MS) throw new Error(`The cluster did not recover: ${JSON.stringify(members)}`);
    if (leader && late.length > 0 && waitedMs > REINIT_AFTER_MS && !reinitialized) {
      console.log(`  reinitializing ${late.map(({ name }) => name)}: ${JSON.stringify(members)}`);
      for (const { name } of late) await nodeOf(cluster, leader).patronictl("reinit", "farwatch", name, "--force");
      reinitialized = true;
    }
  }
}

export async function readLeader(cluster: Pick<Cluster, "nodes">): Promise<PatroniNode | undefined> {
  const leader = (await readMembers(cluster)).find(({ role, state }) => role === "leader" && state === "running");
  return leader && nodeOf(cluster, leader);
}

/** The node that is the synchronous standby now. */
export async function readSyncStandby(cluster: Pick<Cluster, "nodes">): Promise<PatroniNode | undefined> {
  const standby = (await readMembers(cluster)).find(({ role }) => role === "sync_standby");
  return standby && nodeOf(cluster, standby);
}

function nodeOf({ nodes }: Pick<Cluster, "nodes">, { name }: Member): PatroniNode {
  const node = nodes.find((each) => each.name === name);
  if (!node) throw new Error(`There is no machine ${name}`);
  return node;
}
