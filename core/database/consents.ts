import { sql } from "kysely";
import type { Database } from "./connect.ts";

export interface Consent {
  given: boolean;
  at: Date;
  version: number;
  wording: string;
}

/** Small enough that formatting a batch doesn't keep the event loop from sign-ups. */
const BATCH_SIZE = 500;

/** A person's consents and withdrawals with their wordings, oldest first. */
export async function readConsents(db: Database, signUpId: string): Promise<Consent[]> {
  return (await Array.fromAsync(readConsentBatches(db, signUpId))).flat();
}

/** The same in batches. Each is a query of its own, so that a slow reader holds neither a connection nor a snapshot. */
export async function* readConsentBatches(db: Database, signUpId: string): AsyncGenerator<Consent[]> {
  for (let last: string | undefined = "-infinity"; last !== undefined; ) {
    // Limited before the join, so that each batch reads only its own part of the index. The key is text, because a Date
    // would lose its microseconds.
    const { rows } = await sql<Consent & { key: string }>`
      select given, at, version, wording, at::text as key
      from (
        select given, at, wording_version from consents
        where sign_up_id = ${signUpId} and at > ${last}::timestamptz order by at limit ${BATCH_SIZE}
      ) as batch join consent_wordings on version = wording_version
      order by at`.execute(db);
    yield rows.map(({ key, ...consent }) => consent);
    last = rows.at(-1)?.key;
  }
}

export async function readLastConsent(db: Database, signUpId: string): Promise<Consent | undefined> {
  const { rows } = await sql<Consent>`
    select given, at, version, wording
    from consents join consent_wordings on version = wording_version
    where sign_up_id = ${signUpId} order by at desc limit 1`.execute(db);
  return rows[0];
}
