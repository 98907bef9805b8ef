import type { Database } from "#core/database/connect.ts";
import { verifyTotals } from "#core/sign-ups/totals.ts";

export interface Audit {
  acknowledged: number;
  /** Acknowledged, but not on the list. */
  lost: number;
  /** On the list more than once, or not counted exactly once. */
  duplicated: number;
}

/** Compares the clients' ledger with the database. */
export async function audit(db: Database, addresses: Set<string>): Promise<Audit> {
  const rows = await db.selectFrom("sign_ups").select("email_key").execute();
  const listed = new Set(rows.map(({ email_key }) => email_key));
  const { kept, counted, exact } = await verifyTotals(db);
  return {
    acknowledged: addresses.size,
    lost: [...addresses].filter((address) => !listed.has(address)).length,
    duplicated: rows.length - listed.size + (exact ? 0 : Math.max(1, Math.abs(kept.totalUsers - counted.totalUsers))),
  };
}
