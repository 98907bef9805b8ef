import { setTimeout as pause } from "node:timers/promises";
import type { Machine } from "./machine.ts";

/** A row of `patronictl list`. */
interface Member {
  Member: string;
  Role: "Leader" | "Sync Standby" | "Replica";
  State: string;
  "Lag in MB"?: number | string;
}

export interface Cluster {
  leader: string;
  syncStandby: string;
}

const TIMEOUT_MS = 120_000;

/** Waits until the leader and as many standbys as there should be replicate, one of them synchronously. */
export async function untilComplete(machine: Machine, count: number): Promise<Cluster> {
  let members: Member[] = [];
  for (const startedAt = performance.now(); performance.now() - startedAt < TIMEOUT_MS; await pause(1000)) {
    // Fails while there is no leader.
    members = JSON.parse((await machine.type("patronictl list --format json 2>/dev/null || echo '[]'")) || "[]");
    const named = (role: Member["Role"]) => members.find((member) => member.Role === role)?.Member;
    const [leader, syncStandby] = [named("Leader"), named("Sync Standby")];
    const running = members.filter(
      ({ State, "Lag in MB": lag }) => State.match(/running|streaming/) && !Number(lag ?? 0),
    );
    if (leader && syncStandby && running.length === count) return { leader, syncStandby };
  }
  throw new Error(`The cluster isn't complete: ${JSON.stringify(members)}`);
}
