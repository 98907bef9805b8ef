import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import { isIn } from "#core/people/states.ts";

export interface Place {
  ahead: number;
  /** How many people the person would pass with one more friend. */
  perFriend: number;
  /** How many people the person passed with their last `gained` friends. */
  passed: number;
}

/** A person's place in line, or null for anyone who isn't in line. Counts three ranges of the index. */
export async function countPlace(db: Kysely<Tables>, id: string, gained = 0): Promise<Place | null> {
  const lineAt = (weeks: number) =>
    sql`(select line_at + ${weeks} * interval '168 hours' from sign_ups where id = ${id})`;
  const isBefore = (weeks: number) => sql`(line_at, id) < (${lineAt(weeks)}, ${id}::bigint)`;
  const count = (weeks: number, from = sql`true`) => sql`
    (select count(*)::integer from sign_ups where ${isIn("waiting")} and ${isBefore(weeks)} and ${from} and id <> ${id})`;
  const from = (weeks: number) => sql`(line_at, id) >= (${lineAt(weeks)}, ${id}::bigint)`;
  const { rows } = await sql<Place>`
    select ${count(0)} as ahead, ${count(0, from(-1))} as "perFriend", ${count(gained, from(0))} as passed
    where ${lineAt(0)} is not null`.execute(db);
  return rows[0] ?? null;
}
