import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql } from "kysely";
import type { Actor } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { faultOf } from "#core/database/faults.ts";
import type { Tables } from "#core/database/tables.ts";
import { toAddress } from "#core/people/address.ts";
import { derivedColumns, PERSON_COLUMNS } from "#core/people/person-columns.ts";
import { editPerson } from "./edit.ts";

const BATCH_SIZE = 10_000;

const words = sql<string[]>`tsvector_to_array(search_words)`.as("words");

/** Yields everyone, with the derived columns that are outdated because a rule has changed. */
async function* compareAll(db: Kysely<Tables>) {
  const people = db
    .selectFrom("sign_ups")
    .select(["id", "company_key", ...PERSON_COLUMNS, words])
    .orderBy("id");
  for (let after: string | undefined = "0"; after !== undefined; ) {
    const rows: Awaited<ReturnType<typeof people.execute>> = await people
      .where("id", ">", after)
      .limit(BATCH_SIZE)
      .execute();
    for (const { words, ...row } of rows) {
      const { search_words, ...keys } = derivedColumns(row);
      const outdated = {
        email_key: Number(row.email_key !== keys.email_key),
        company_key: Number(row.company_key !== keys.company_key),
        search_words: Number(!isDeepStrictEqual(new Set(words), new Set(search_words.split(" ")))),
      };
      yield { id: row.id, email_key: keys.email_key, outdated, isRefused: toAddress(row.email) !== row.email };
    }
    after = rows.at(-1)?.id;
  }
}

/** The number of outdated values in each derived column, and the ids of people whose address the form would refuse. */
export async function countOutdated(snapshot: Kysely<Tables>) {
  const counts = { email_key: 0, company_key: 0, search_words: 0 };
  const refused: string[] = [];
  for await (const { id, outdated, isRefused } of compareAll(snapshot)) {
    if (isRefused) refused.push(id);
    for (const column of Object.keys(counts) as (keyof typeof counts)[]) counts[column] += outdated[column];
  }
  return { ...counts, refused };
}

/** Repairs one person at a time, so that the repair can be interrupted and run while people join. */
export async function repairOutdated(db: Database, actor: Actor): Promise<void> {
  for await (const { id, email_key, outdated } of compareAll(db)) {
    if (outdated.email_key) {
      // If another person has the new key, this one stays outdated until an operator decides.
      await sql`update sign_ups set email_key = ${email_key} where id = ${id}`.execute(db).catch((reason) => {
        if (faultOf(reason) !== "bad data") throw reason;
      });
    }
    if (outdated.company_key || outdated.search_words) await editPerson(db, actor, id, {});
  }
}
