import { NEWSLETTER_CONSENT, type SignUp } from "#contract/sign-up.ts";
import type { Database } from "#server/database/connect.ts";
import { isBadData } from "#server/database/faults.ts";
import type { NewSignUp } from "#server/database/tables.ts";
import { companyKey } from "./company-key.ts";
import { emailKey } from "./email-key.ts";
import { groupCommit } from "./group-commit.ts";
import { insertQuarantined } from "./quarantine.ts";
import { readTotals, type Totals } from "./totals.ts";
import { type WriteOutcome, writeBatch } from "./write-batch.ts";

type JoinOutcome =
  | WriteOutcome
  | { kind: "quarantined"; totals: Totals }
  | { kind: "no-such-domain" }
  | { kind: "too-many-waiting" };

/** Puts a person on the list, once. `formKey` tells the same form, sent again, from another sign-up. */
export type Join = (signUp: SignUp, formKey: string | null) => Promise<JoinOutcome>;

/** Large enough for a crowd to share, small enough to be written in a moment. */
const MOST_IN_BATCH = 1000;

export function joinWith(db: Database, { mostWaiting }: { mostWaiting: number }): Join {
  const write = groupCommit((batch: NewSignUp[]) => writeBatch(db, NEWSLETTER_CONSENT.version, batch), {
    mostInBatch: MOST_IN_BATCH,
    mostWaiting,
    isOneItemsFault: isBadData,
  });

  return async (signUp, formKey) => {
    const key = emailKey(signUp.email);
    if (!key) return { kind: "no-such-domain" };

    const row: NewSignUp = {
      email_key: key,
      email: signUp.email,
      first_name: signUp.firstName,
      last_name: signUp.lastName,
      company: signUp.company || null,
      company_key: companyKey(signUp.company) ?? null,
      newsletter: signUp.newsletter,
      idempotency_key: formKey,
    };

    // Before the duplicate rule, so that a bot never learns who is on the list.
    if (signUp.website) {
      await insertQuarantined(db, row, signUp.website);
      return { kind: "quarantined", totals: await readTotals(db) };
    }
    return (await write(row)) ?? { kind: "too-many-waiting" };
  };
}
