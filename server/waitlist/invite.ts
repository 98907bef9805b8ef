import { sql } from "kysely";
import type { Database } from "#server/database/connect.ts";
import { type Filter, matches } from "./filter.ts";

export interface Wave {
  /** Everyone in it has this moment, and nobody else. */
  invitedAt: Date;
  invited: number;
}

/**
 * Marks the next people that match, in the order in which they joined. Nobody is in two waves, also when two are made at
 * once: the second passes over those whom the first holds.
 */
export async function inviteNext(db: Database, filter: Filter, most: number): Promise<Wave> {
  return db.transaction().execute(async (transaction) => {
    const chosen = await sql<{ id: string }>`
      select id from sign_ups where ${matches({ ...filter, invited: false })}
      order by id limit ${most} for update skip locked`.execute(transaction);
    const ids = chosen.rows.map(({ id }) => id);
    // To the millisecond, which is what a person can copy and JavaScript can hold.
    const { rows } = await sql<{ moment: Date }>`
      select date_trunc('milliseconds', clock_timestamp()) as moment`.execute(transaction);
    const invitedAt = rows[0]?.moment ?? new Date();
    await sql`update sign_ups set invited_at = ${invitedAt} where id = any(${ids}::bigint[])`.execute(transaction);
    return { invitedAt, invited: ids.length };
  });
}
