import { sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { createSecret } from "#core/webhooks/signature.ts";

/** The product signs acceptances with it. It can't be read again; the one before works for another day. */
export function makeAcceptanceSecret(db: Database, actor: Actor) {
  const secret = createSecret();
  return db.transaction().execute(async (transaction) => {
    await sql`insert into acceptance_secrets (secret) values (${secret})`.execute(transaction);
    await recordActivity(transaction, actor, { action: "make secret" });
    return { secret };
  });
}

/** The newest secret, and the one before for a day after the newest was made. */
export async function readAcceptanceSecrets(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ secret: string }>(`
    select secret from acceptance_secrets order by id desc
    limit (select 1 + (max(created_at) > now() - interval '1 day')::integer from acceptance_secrets)`);
  return rows.map(({ secret }) => secret);
}
