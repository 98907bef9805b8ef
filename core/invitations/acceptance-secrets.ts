import { sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { createSecret } from "#core/http/signature.ts";

/** Makes a secret for the product to sign acceptances with. Shown once; the previous one works for another day. */
export function makeAcceptanceSecret(db: Database, actor: Actor) {
  const secret = createSecret();
  return db.transaction().execute(async (transaction) => {
    await sql`insert into acceptance_secrets (secret) values (${secret})`.execute(transaction);
    await recordActivity(transaction, actor, { action: "make secret" });
    return { secret };
  });
}

/** The newest secret and, for a day after each was replaced, the ones before: a second click cuts off nobody. */
export async function readAcceptanceSecrets(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ secret: string }>(`
    select secret from acceptance_secrets order by id desc
    limit (select 1 + count(*) from acceptance_secrets where created_at > now() - interval '1 day')`);
  return rows.map(({ secret }) => secret);
}
