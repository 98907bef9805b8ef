import type { Database } from "#core/database/connect.ts";

/** Nobody on the list, as after the last migration. */
export async function emptyWaitlist(db: Database): Promise<void> {
  for (const table of ["sign_ups", "waves", "companies", "quarantine", "consents", "erasures", "mail_minutes"] as const)
    await db.deleteFrom(table).execute();
  await db.updateTable("totals").set({ users: "0", companies: "0" }).execute();
}
