import type { Insertable } from "kysely";
import type { Database } from "#server/database/connect.ts";
import type { Tables } from "#server/database/tables.ts";

export type Caught = Insertable<Tables["quarantine"]>;

/** What filled the honeypot is kept for an operator to look at, because browsers' autofill fills honeypots too. */
export async function insertQuarantined(db: Database, caught: Caught[]): Promise<undefined[]> {
  await db.insertInto("quarantine").values(caught).execute();
  return caught.map(() => undefined);
}
