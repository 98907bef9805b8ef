import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { stored } from "./sign-ups.ts";

export type JoinedAt = ReturnType<typeof joinedAt>;

let people = 0;
/** The row of a new person who joined at this time. */
export function joinedAt(at: number, changes: object = {}) {
  people += 1;
  const email = `ada${people}@example.com`;
  const person = { ...stored(email), first_name: "Ada", last_name: "Lovelace", newsletter: false };
  return { ...person, joined_at: new Date(at), ...changes };
}

export async function addJoined(db: Database, rows: JoinedAt[]): Promise<void> {
  await db.insertInto("sign_ups").values(rows).execute();
  await sql`update totals set users = users + ${rows.length} where slot = 0`.execute(db);
}
