import { NEWSLETTER_CONSENT, type SignUp } from "#contract/sign-up.ts";
import type { Database } from "#core/database/connect.ts";
import { isBadData, isUnavailable } from "#core/database/faults.ts";
import type { NewSignUp } from "#core/database/tables.ts";
import type { Metrics } from "#core/metrics.ts";
import type { Utm } from "./campaign.ts";
import { companyKey } from "./company-key.ts";
import { emailKey } from "./email-key.ts";
import { groupCommit } from "./group-commit.ts";
import { type Caught, insertQuarantined } from "./quarantine.ts";
import type { Totals } from "./totals.ts";
import { type WriteOutcome, writeBatch } from "./write-batch.ts";

type JoinOutcome =
  | Exclude<WriteOutcome, { kind: "unknown" }>
  | { kind: "quarantined"; totals: Totals }
  | { kind: "no-such-domain" }
  | { kind: "too-many-waiting" };

/** Puts a person on the list, once. `formKey` tells the same form, sent again, from another sign-up. */
export type Join = (signUp: SignUp, formKey: string | null, utm?: Utm | null) => Promise<JoinOutcome>;

/** Large enough for a crowd to share, small enough to be written in a moment. */
const MOST_IN_BATCH = 1000;

export interface JoinParts {
  /** How many may wait to be written. */
  mostWaiting: number;
  /** What someone is told who isn't counted. */
  totals: () => Promise<Totals>;
  metrics: Metrics;
  /** Whether those who join are written to. */
  isMailed?: boolean | undefined;
}

export function joinWith(db: Database, { mostWaiting, totals, metrics, isMailed = false }: JoinParts): Join {
  const terms = { wordingVersion: NEWSLETTER_CONSENT.version, isMailed };
  const options = { mostInBatch: MOST_IN_BATCH, mostWaiting, isOneItemsFault: isBadData, isOutage: isUnavailable };
  const writer = groupCommit(async (batch: NewSignUp[]) => {
    metrics.batchSize.observe(batch.length);
    const stop = metrics.commitSeconds.startTimer();
    return writeBatch(db, terms, batch).finally(stop);
  }, options);
  metrics.watch("farwatch_waiting", "Sign-ups that wait to be written", writer.waiting);
  // Together too, so that a flood of bots holds one connection and leaves the others to people.
  const quarantine = groupCommit((batch: Caught[]) => insertQuarantined(db, batch), options);

  return async (signUp, formKey, utm = null) => {
    const key = emailKey(signUp.email);
    if (!key) return { kind: "no-such-domain" };

    const person = {
      email_key: key,
      email: signUp.email,
      first_name: signUp.firstName,
      last_name: signUp.lastName,
      company: signUp.company || null,
      newsletter: signUp.newsletter,
    };

    // Before the duplicate rule, so that a bot never learns who is on the list.
    if (signUp.website) {
      const done = quarantine.submit({ ...person, website: signUp.website });
      if (!done) return { kind: "too-many-waiting" };
      await done;
      return { kind: "quarantined", totals: await totals() };
    }
    const company_key = companyKey(signUp.company) ?? null;
    const outcome = await writer.submit({ ...person, company_key, idempotency_key: formKey, utm });
    if (outcome?.kind === "unknown") throw outcome.reason;
    return outcome ?? { kind: "too-many-waiting" };
  };
}
