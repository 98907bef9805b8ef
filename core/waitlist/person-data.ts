import type { Database } from "#core/database/connect.ts";
import { readConsents } from "#core/database/consents.ts";

/** Everything stored about one person. */
export async function readPersonData(db: Database, emailKey: string) {
  const signUp = await db.selectFrom("sign_ups").selectAll().where("email_key", "=", emailKey).executeTakeFirst();
  const consents = signUp ? await readConsents(db, signUp.id) : [];
  const quarantine = await db
    .selectFrom("quarantine")
    .selectAll()
    .where("email_key", "=", emailKey)
    .orderBy("id")
    .execute();
  return { signUp: signUp ?? null, consents, quarantine };
}

export type PersonData = Awaited<ReturnType<typeof readPersonData>>;
