import type { Database } from "./connect.ts";

/** A person's consents and withdrawals with their wordings, oldest first. */
export function readConsents(db: Database, signUpId: string) {
  return db
    .selectFrom("consents")
    .innerJoin("consent_wordings", "version", "wording_version")
    .select(["given", "at", "version", "wording"])
    .where("sign_up_id", "=", signUpId)
    .orderBy("at")
    .execute();
}
