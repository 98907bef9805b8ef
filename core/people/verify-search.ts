import { type Kysely, sql } from "kysely";
import type { PersonColumns, Tables } from "#core/database/tables.ts";
import { searchWords } from "./search-words.ts";

const BATCH_SIZE = 10_000;

type Row = PersonColumns & { id: string; stored: string[] };

/** How many people have other search words than their names, company and address make. Reads the caller's snapshot. */
export async function verifySearchWords(snapshot: Kysely<Tables>): Promise<number> {
  let wrong = 0;
  for (let after: string | undefined = "0"; after !== undefined; ) {
    const { rows }: { rows: Row[] } = await sql<Row>`
      select id, email_key, email, first_name, last_name, company, tsvector_to_array(search_words) as stored
      from sign_ups where id > ${after} order by id limit ${BATCH_SIZE}`.execute(snapshot);
    wrong += rows.filter((row) => !isSame(row.stored, searchWords(row).split(" "))).length;
    after = rows.at(-1)?.id;
  }
  return wrong;
}

function isSame(stored: string[], expected: string[]): boolean {
  return stored.length === expected.length && expected.every((word) => stored.includes(word));
}
