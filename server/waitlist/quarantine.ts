import type { Database } from "#server/database/connect.ts";
import type { NewSignUp } from "#server/database/tables.ts";

/** What filled the honeypot is kept for an operator to look at, because browsers' autofill fills honeypots too. */
export async function insertQuarantined(
  db: Database,
  { company_key: _, idempotency_key: __, ...person }: NewSignUp,
  website: string,
): Promise<void> {
  await db
    .insertInto("quarantine")
    .values({ ...person, website })
    .execute();
}
