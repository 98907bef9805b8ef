import { type Kysely, sql } from "kysely";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import { countFriends, sharers } from "./friends.ts";

/** Yields the id of everyone whose number of friends is wrong. */
export async function* findMiscounted(db: Kysely<Tables>): AsyncGenerator<string> {
  const isSharer = sql`(friends > 0 or exists (select from sign_ups where friend_of = sharer.id))`;
  for (let after: string | undefined = "0"; after !== undefined; ) {
    const { rows } = await sharers(sql`id > ${after} and ${isSharer} order by id limit 1000`).execute(db);
    for (const sharer of rows) if (sharer.friends !== countFriends(sharer)) yield sharer.id;
    after = rows.at(-1)?.id;
  }
}

/** How many people have another place in line than the rule gives them. */
export async function countMisplaced(db: Kysely<Tables>): Promise<number> {
  const counted = await sql<{ misplaced: number }>`
    select count(*)::integer as misplaced
    from (
      select row_number() over (order by line_at, id) as kept,
        row_number() over (order by joined_at - friends * interval '168 hours', id) as expected
      from sign_ups
      where line_at is not null or (confirmed_at is not null and invited_at is null and rejected_at is null)
    ) as places
    where kept <> expected`.execute(db);
  return onlyRow(counted).misplaced;
}
