import type { SignUp } from "#contract/sign-up.ts";
import type { Database } from "#server/database/connect.ts";
import { companyKey } from "./company-key.ts";
import { emailKey } from "./email-key.ts";
import { insertQuarantined, insertSignUp, readTotals, type Totals } from "./store.ts";

export type JoinOutcome =
  | { kind: "joined"; totals: Totals }
  | { kind: "quarantined"; totals: Totals }
  | { kind: "already-joined" }
  | { kind: "no-such-domain" };

/** Puts a person on the list, once. */
export async function join(db: Database, signUp: SignUp): Promise<JoinOutcome> {
  const key = emailKey(signUp.email);
  if (!key) return { kind: "no-such-domain" };

  const row = {
    email_key: key,
    email: signUp.email,
    first_name: signUp.firstName,
    last_name: signUp.lastName,
    company: signUp.company || null,
    company_key: companyKey(signUp.company) ?? null,
    newsletter: signUp.newsletter,
  };

  // Before the duplicate rule, so that a bot never learns who is on the list.
  if (signUp.website) {
    await insertQuarantined(db, row, signUp.website);
    return { kind: "quarantined", totals: await readTotals(db) };
  }

  const totals = await insertSignUp(db, row);
  return totals ? { kind: "joined", totals } : { kind: "already-joined" };
}
