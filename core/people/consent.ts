import { sql } from "kysely";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { StartupError } from "#core/config/startup-error.ts";
import type { Database } from "#core/database/connect.ts";
import type { Chunk } from "#core/database/transaction.ts";

/** Records the page's consent wording. Throws if its version is already recorded with a different wording. */
export async function recordConsentWording(db: Database, { version, wording } = NEWSLETTER_CONSENT): Promise<void> {
  await sql`
    insert into consent_wordings (version, wording) values (${version}, ${wording}) on conflict do nothing`.execute(db);
  const known = db.selectFrom("consent_wordings").select("wording").where("version", "=", version);
  const recorded = await known.executeTakeFirstOrThrow();
  if (recorded.wording !== wording) {
    throw new StartupError(
      `Consent version ${version} is recorded with a different wording. New words need a new version.`,
    );
  }
}

/** Whether a complaint has unsubscribed someone and they haven't withdrawn since, as SQL on `id`. */
export const IS_COMPLAINT_LAST = sql`
  exists (select from deliveries where sign_up_id = id and state = 'complained')
  and array(select given from consents where sign_up_id = id order by at desc limit 2) = '{f,t}'`;

/** Adds a second entry, so that undoing a complaint doesn't undo a later withdrawal. Call it before that withdrawal. */
export async function repeatWithdrawals(chunk: Chunk, ids: string[]): Promise<void> {
  await sql`
    select record_consent(id, ${NEWSLETTER_CONSENT.version}, false) from unnest(${ids}::bigint[]) as id
    where ${IS_COMPLAINT_LAST}`.execute(chunk);
}

/** Unsubscribes these people, records it in the consent ledger, and returns how many were subscribed. */
export async function withdrawNewsletters(chunk: Chunk, ids: string[]): Promise<number> {
  const { rows } = await sql`
    with unsubscribed as (
      update sign_ups set newsletter = false where id = any(${ids}::bigint[]) and newsletter returning id
    )
    select record_consent(id, ${NEWSLETTER_CONSENT.version}, false) from unsubscribed`.execute(chunk);
  return rows.length;
}
