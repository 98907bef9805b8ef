import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import { isIn } from "#core/people/states.ts";

/**
 * How many people are ahead of this person, or would be some weeks further back. Null for anyone who isn't in line.
 * Written so that it can run in parallel.
 */
export async function countAhead(db: Kysely<Tables>, id: string, weeksBack = 0): Promise<number | null> {
  const lineAt = sql`(select line_at + ${weeksBack} * interval '168 hours' from sign_ups where id = ${id})`;
  const { rows } = await sql<{ ahead: number | null }>`
    select case when ${lineAt} is not null then count(*)::integer end as ahead
    from sign_ups where ${isIn("waiting")} and (line_at, id) < (${lineAt}, ${id}::bigint) and id <> ${id}`.execute(db);
  return rows[0]?.ahead ?? null;
}
