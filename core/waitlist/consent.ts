import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import type { Database } from "#core/database/connect.ts";

/** Puts the words that the page shows into the ledger. Throws where other words have that version already. */
export async function recordConsentWording(db: Database, { version, wording } = NEWSLETTER_CONSENT): Promise<void> {
  await db
    .insertInto("consent_wordings")
    .values({ version, wording })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const recorded = await db
    .selectFrom("consent_wordings")
    .select("wording")
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  if (recorded.wording !== wording) {
    throw new Error(`People agreed to other words under version ${version}. New words need a new version.`);
  }
}
