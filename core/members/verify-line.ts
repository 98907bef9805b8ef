import { type Kysely, sql } from "kysely";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import { isIn, isListed } from "#core/people/states.ts";

/** How many people aren't in the place in line that the rule gives them. */
export async function countMisplaced(db: Kysely<Tables>): Promise<number> {
  const counted = await sql<{ misplaced: number }>`
    select count(*)::integer as misplaced
    from (
      select row_number() over (order by line_at, id) as kept,
        row_number() over (order by joined_at - coalesce(friends, 0) * interval '168 hours', id) as expected
      from sign_ups
      where ${isIn("waiting")} or (${isListed} and ${isIn("confirmed")} and ${isIn("invited", false)} and ${isIn("suppressed", false)})
    ) as places
    where kept <> expected`.execute(db);
  return onlyRow(counted).misplaced;
}
