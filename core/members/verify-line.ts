import { type Kysely, sql } from "kysely";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";

/** How many people have another place in line than the rule gives them. */
export async function countMisplaced(db: Kysely<Tables>): Promise<number> {
  const counted = await sql<{ misplaced: number }>`
    select count(*)::integer as misplaced
    from (
      select row_number() over (order by line_at, id) as kept,
        row_number() over (order by joined_at - least(friends, 4) * interval '168 hours', id) as expected
      from sign_ups
      where line_at is not null or (confirmed_at is not null and invited_at is null and rejected_at is null)
    ) as places
    where kept <> expected`.execute(db);
  return onlyRow(counted).misplaced;
}
