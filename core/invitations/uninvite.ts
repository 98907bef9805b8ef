import { sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import { changeMany } from "#core/activity/change-many.ts";
import { lockPeople, peoplePages } from "#core/activity/people-pages.ts";
import type { Database } from "#core/database/connect.ts";
import { isIn } from "#core/people/states.ts";

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
  const isChosen = sql<boolean>`wave_id = ${wave} and ${isUnused}`;
  return changeMany(db, { actor, action: "uninvite", wave }, peoplePages(db, isChosen), async (chunk, page) => {
    const ids = await lockPeople(chunk, page, isChosen);
    await sql`update sign_ups set invited_at = null where id = any(${ids}::bigint[])`.execute(chunk);
    return { count: ids.length };
  });
}
