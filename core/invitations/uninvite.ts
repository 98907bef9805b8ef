import { type Kysely, sql } from "kysely";
import { type Actor, changeInParts, recordActivity, recordInParts } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { isIn } from "#core/people/states.ts";
import { WAVE_CHUNK_SIZE } from "./waves.ts";

/** Also of people who are set aside, because they have the invitation. */
const isUnused = sql`${isIn("invited")} and ${isIn("accepted", false)}`;

/** Takes back an unused invitation; keeps wave_id, so that the product can refuse it. Returns whether one existed. */
export async function uninvitePerson(db: Database, actor: Actor, id: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await sql`
      update sign_ups set invited_at = null where id = ${id} and ${isUnused}`.execute(transaction);
    if (numAffectedRows !== 1n) return false;
    await recordActivity(transaction, actor, { action: "uninvite", person: id });
    return true;
  });
}

/**
 * Takes back the unused invitations of a wave and returns how many there were. The next wave may
 * invite the same people again. If this is interrupted, the rest of the wave stays invited.
 */
export function uninviteWave(db: Database, actor: Actor, wave: string) {
  const choose = (transaction: Kysely<Tables>, after: string) =>
    sql<{ id: string }>`
      select id from sign_ups where id > ${after} and wave_id = ${wave} and ${isUnused}
      order by id limit ${WAVE_CHUNK_SIZE} for update`.execute(transaction);
  const change = async (transaction: Kysely<Tables>, ids: string[]) => {
    await sql`update sign_ups set invited_at = null where id = any(${ids}::bigint[])`.execute(transaction);
    return ids.length;
  };
  return changeInParts(recordInParts(db, actor, { action: "uninvite", wave }), choose, change);
}
