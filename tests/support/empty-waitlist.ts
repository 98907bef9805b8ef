import type { Database } from "#core/database/connect.ts";

/** Resets the list to its state right after the migrations. */
export async function emptyWaitlist(db: Database): Promise<void> {
  for (const table of [
    "sign_ups",
    "questions",
    "waves",
    "companies",
    "quarantine",
    "quarantined_domains",
    "consents",
    "erasures",
    "mailboxes",
    "mail_minutes",
    "mail_sources",
    "sns_certificates",
    "maintenance_runs",
    "activity",
    "delivery_counts",
    "overview_figures",
    "page_views",
    "acceptance_secrets",
    "webhook_endpoints",
    "webhook_events",
  ] as const)
    await db.deleteFrom(table).execute();
  await db.deleteFrom("messages").where("kind", "in", ["invitation", "announcement"]).execute();
  const reminder = db.updateTable("messages").where("kind", "=", "reminder");
  await reminder.set({ state: "paused", subject: "", body: "", after_days: 3, reminded_to: null }).execute();
  await reminder.set({ pace: null, pace_unit: null, pause_reason: null, next_release_at: new Date(0) }).execute();
  await db.updateTable("mail_switch").set({ is_on: false }).execute();
  await db.updateTable("totals").set({ users: "0", companies: "0" }).execute();
}
