import type { Insertable } from "kysely";
import type { Database } from "#server/database/connect.ts";
import type { Tables } from "#server/database/tables.ts";

export type Caught = Insertable<Tables["quarantine"]>;

/** What filled the honeypot is kept for an operator to look at, because browsers' autofill fills honeypots too. */
export async function insertQuarantined(db: Database, caught: Caught[]): Promise<undefined[]> {
  await db.pool.query(
    `insert into quarantine (email_key, email, first_name, last_name, company, newsletter, website)
     select email_key, email, first_name, last_name, company, newsletter, website
     from json_populate_recordset(null::quarantine, $1)`,
    [JSON.stringify(caught)],
  );
  return caught.map(() => undefined);
}
