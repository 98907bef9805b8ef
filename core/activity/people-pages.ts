import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import type { Chunk } from "#core/database/transaction.ts";

const PAGE_SIZE = 1000;

/** The ids of everyone who matches, in their order, for `changeMany`. Locks nobody, however long a page takes. */
export async function* peoplePages(db: Kysely<Tables>, condition: RawBuilder<boolean>): AsyncGenerator<string[]> {
  for (let after: string | undefined = "0"; after !== undefined; ) {
    const page: { rows: { id: string }[] } = await sql<{ id: string }>`
      select id from sign_ups where id > ${after} and ${condition} order by id limit ${PAGE_SIZE}`.execute(db);
    const ids = page.rows.map(({ id }) => id);
    after = ids.at(-1);
    yield ids;
  }
}

/** Locks people who still match, and returns them in the given order. */
export async function lockPeople(chunk: Chunk, ids: string[], condition: RawBuilder<boolean>): Promise<string[]> {
  // CASE keeps PostgreSQL from reading everyone who matches, by an index of the condition.
  const { rows } = await sql<{ id: string }>`
    select id from sign_ups where id = any(${ids}::bigint[]) and case when ${condition} then true else false end
    order by id for update`.execute(chunk);
  const locked = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => locked.has(id));
}
