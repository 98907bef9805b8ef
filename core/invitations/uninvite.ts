import { sql } from "kysely";
import { type Actor, recordActivity, recordInParts } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { matches } from "#core/people/filter.ts";
import { WAVE_CHUNK_SIZE } from "./waves.ts";

/** Takes one person's invitation back. They stay in their wave until the next one, because their link still verifies. Returns whether they were invited. */
export async function uninvitePerson(db: Database, actor: Actor, id: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await sql`
      update sign_ups set invited_at = null where id = ${id} and ${matches({ invited: true })}`.execute(transaction);
    if (numAffectedRows !== 1n) return false;
    await recordActivity(transaction, actor, { action: "uninvite", person: id });
    return true;
  });
}

/**
 * Takes back the invitations of a wave and returns how many there were. The next wave may
 * invite the same people again. If this is interrupted, the rest of the wave stays invited.
 */
export async function uninviteWave(
  db: Database,
  actor: Actor,
  wave: string,
  onUninvited: (people: number) => void = () => {},
): Promise<number> {
  let uninvited = 0;
  const record = recordInParts(db, actor, { action: "uninvite", wave });
  for (let last = "0"; ; ) {
    const { rows } = await sql<{ id: string }>`
      select id from sign_ups where id > ${last} and ${matches({ wave, invited: true })}
      order by id limit ${WAVE_CHUNK_SIZE}`.execute(db);
    if (rows.length === 0) return uninvited;
    const ids = rows.map(({ id }) => id);
    const count = await record(async (transaction) => {
      // Checks the wave again, because someone may have been erased or moved to another wave since.
      const { numAffectedRows = 0n } = await sql`
        update sign_ups set invited_at = null
        where id = any(${ids}::bigint[]) and ${matches({ wave, invited: true })}`.execute(transaction);
      return Number(numAffectedRows);
    });
    uninvited += count;
    onUninvited(count);
    last = ids.at(-1) ?? last;
  }
}
