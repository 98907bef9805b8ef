import { type Kysely, sql } from "kysely";

/** The activity keeps the subject that a message had at the time, because a draft's subject changes later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table activity add column subject text`.execute(db);
}
