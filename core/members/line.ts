import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { MAX_AHEAD } from "#core/format.ts";

/** How many people are ahead of this person, counted up to MAX_AHEAD + 1. Null for anyone who isn't in line. */
export async function countAhead(db: Database, id: string): Promise<number | null> {
  const { rows } = await sql<{ ahead: number | null }>`
    select case when line_at is not null then (
      select count(*)::integer from (
        select from sign_ups as other
        where other.line_at is not null and (other.line_at, other.id) < (person.line_at, person.id)
        limit ${MAX_AHEAD + 1}
      ) as ahead
    ) end as ahead
    from sign_ups as person where id = ${id}`.execute(db);
  return rows[0]?.ahead ?? null;
}
