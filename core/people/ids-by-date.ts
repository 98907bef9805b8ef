import { type RawBuilder, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";

/** How far the order of ids and of timestamps may differ: by concurrent batches, and by the clocks of two machines. */
const MAX_SKEW_MS = 3_600_000;

/**
 * Conditions on the id that hold for everyone who joined in the period, found by binary search: ids are in the order of
 * joining, so a date needs no index of its own, which every sign-up would have to update.
 */
export async function idsWhenJoined(
  db: Database,
  { since, until }: { since?: Date | undefined; until?: Date | undefined },
): Promise<RawBuilder<boolean>[]> {
  const first = since && (await firstIdSince(db, new Date(since.getTime() - MAX_SKEW_MS)));
  const end = until && (await firstIdSince(db, new Date(until.getTime() + MAX_SKEW_MS)));
  return [...(first ? [sql<boolean>`id >= ${first}`] : []), ...(end ? [sql<boolean>`id < ${end}`] : [])];
}

/** A binary search in one query: some 24 lookups for ten million people. One past the last id if all joined earlier. */
async function firstIdSince(db: Database, date: Date): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with recursive halves (low, high) as (
      select coalesce(min(id), 1), coalesce(max(id), 0) + 1 from sign_ups
      union all
      select
        case when is_later then low else middle + 1 end,
        case when is_later then middle else high end
      from halves
      cross join lateral (select (low + high) / 2 as middle) as halved
      cross join lateral (
        select joined_at >= ${date} as is_later from sign_ups where id >= middle order by id limit 1
      ) as found
      where low < high
    )
    select low as id from halves where low = high`.execute(db);
  return rows[0]?.id ?? "1";
}
