import { sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";

/** Lets another account sign in with this address, and ends its sessions. Returns whether the address was known. */
export function forgetOperator(db: Database, actor: Actor, email: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql`delete from console_operators where email = ${email} returning email`.execute(
      transaction,
    );
    if (rows.length > 0) await recordActivity(transaction, actor, { action: "forget operator", operator: email });
    return rows.length > 0;
  });
}

/** Once an hour per name, because anyone with an account at the provider can try. */
export async function recordRefusal(db: Database, name: string): Promise<void> {
  await sql`
    insert into activity (actor, via, action) select ${name}, 'console', 'refuse sign-in' where not exists (
      select from activity where action = 'refuse sign-in' and actor = ${name} and at > now() - interval '1 hour'
    )`.execute(db);
}
