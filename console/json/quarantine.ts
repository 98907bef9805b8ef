import type { Database } from "#core/database/connect.ts";
import { readQuarantine } from "#core/sign-ups/quarantine.ts";
import { MAX_QUARANTINED } from "#core/text/format.ts";

export async function readQuarantined(db: Database) {
  const entries = await readQuarantine(db, MAX_QUARANTINED);
  // Lists the fields, so that the page gets only those it shows.
  return entries.map(({ id, caught_at, email, first_name, last_name, company, website }) => ({
    id,
    caughtAt: caught_at,
    email,
    firstName: first_name,
    lastName: last_name,
    company,
    website,
  }));
}
