import type { Database } from "#core/database/connect.ts";
import { countFriends } from "#core/members/friends.ts";

/** Moves friends' confirmations a day back, and counts friends as a mail worker does after midnight UTC. */
export async function passMidnight(db: Database): Promise<void> {
  await db.pool.query(
    "update sign_ups set confirmed_at = confirmed_at - interval '24 hours' where friend_of is not null",
  );
  await db.pool.query("delete from maintenance_runs where task = 'friends'");
  await countFriends(db);
}
