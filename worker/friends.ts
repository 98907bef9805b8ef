import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "#core/database/connect.ts";
import { countFriends } from "#core/members/friends.ts";

const POLL_MS = 60_000;

/** Counts friends after every midnight UTC until stopped, and at the start if that midnight was missed. */
export async function countFriendsDaily(
  db: Database,
  stopping: AbortSignal,
  onError: (reason: unknown) => void,
): Promise<void> {
  while (!stopping.aborted) {
    await countFriends(db, stopping).catch(onError);
    await pause(POLL_MS, undefined, { signal: stopping }).catch(() => {});
  }
}
