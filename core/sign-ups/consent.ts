import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import type { Database } from "#core/database/connect.ts";
import { StartupError } from "#core/service/startup-error.ts";

/** Records the page's consent wording. Throws if its version is already recorded with a different wording. */
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
    throw new StartupError(
      `Consent version ${version} is recorded with a different wording. New words need a new version.`,
    );
  }
}
