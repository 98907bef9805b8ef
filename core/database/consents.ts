import type { Database } from "./connect.ts";

/** What someone agreed to and withdrew, in which words, in the order in which they said it. */
export function readConsents(db: Database, signUpId: string) {
  return db
    .selectFrom("consents")
    .innerJoin("consent_wordings", "version", "wording_version")
    .select(["given", "at", "version", "wording"])
    .where("sign_up_id", "=", signUpId)
    .orderBy("at")
    .execute();
}
