import type { Database } from "#server/database/connect.ts";

/** All there is about one person. */
export async function everythingHeld(db: Database, emailKey: string) {
  const signUp = await db.selectFrom("sign_ups").selectAll().where("email_key", "=", emailKey).executeTakeFirst();
  const consents = await db
    .selectFrom("consents")
    .innerJoin("consent_wordings", "version", "wording_version")
    .select(["given", "at", "version", "wording"])
    .where("sign_up_id", "=", signUp?.id ?? "0")
    .orderBy("at")
    .execute();
  const quarantine = await db
    .selectFrom("quarantine")
    .selectAll()
    .where("email_key", "=", emailKey)
    .orderBy("id")
    .execute();
  return { signUp: signUp ?? null, consents, quarantine };
}

export type Held = Awaited<ReturnType<typeof everythingHeld>>;
