import { connect } from "#core/database/connect.ts";
import { verifyTotals } from "#core/people/totals.ts";
import type { Outcome } from "./drill.ts";

/** Compares the ledger with the list. Missing people count as lost, repeated or miscounted ones as duplicated. */
export async function audit(url: string, acknowledged: ReadonlySet<string>): Promise<Outcome> {
  const db = connect(url);
  try {
    const rows = await db.selectFrom("sign_ups").select("email_key").execute();
    const listed = new Set(rows.map(({ email_key }) => email_key));
    const { kept, counted, exact } = await verifyTotals(db);
    const miscounted = exact ? 0 : Math.max(1, Math.abs(kept.totalUsers - counted.totalUsers));
    return {
      acknowledged: acknowledged.size,
      lost: acknowledged.difference(listed).size,
      duplicated: rows.length - listed.size + miscounted,
    };
  } finally {
    await db.destroy();
  }
}
