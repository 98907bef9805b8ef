import { NEWSLETTER_CONSENT, type SignUp } from "#contract/sign-up.ts";
import type { Database } from "#core/database/connect.ts";
import type { NewSignUp } from "#core/database/tables.ts";
import { retryTransient } from "#core/database/transaction.ts";
import { NO_NETWORK, NO_ORIGIN, type Origin } from "#core/people/origin.ts";
import { derivedColumns, personColumns } from "#core/people/person-columns.ts";
import type { Totals } from "#core/people/totals.ts";
import { groupCommit } from "./group-commit.ts";
import { type Caught, insertQuarantined } from "./quarantine.ts";
import { watchQuarantinedDomains } from "./quarantined-domains.ts";
import { unmarkImported } from "./unmark-imported.ts";
import { type Resend, type WriteOutcome, writeBatch } from "./write-batch.ts";

type JoinOutcome =
  | Exclude<WriteOutcome, { kind: "unknown" }>
  | { kind: "quarantined"; totals: Totals }
  | { kind: "no-such-domain" }
  | { kind: "too-many-waiting" };

interface Circumstances {
  origin?: Origin;
  /** Hash of the client's network, which mail is limited by. */
  network?: number | undefined;
  /** Asked for sign-ups that go to quarantine: after too many of a client's, one is stored only if there is room. */
  isExcess?: () => Promise<boolean>;
}

/** Large enough to share a commit under load, small enough to be written in milliseconds. */
const MAX_BATCH_SIZE = 1000;

export interface JoinOptions {
  maxQueueLength: number;
  /** The totals for responses to quarantined sign-ups, which aren't counted. */
  totals: () => Promise<Totals>;
  resend?: Resend | undefined;
  /** Called after each batch, whether it succeeded or failed. */
  onBatch?: (size: number, seconds: number) => void;
  /** Called for errors that no visitor sees. */
  onFault?: (reason: unknown) => void;
}

export type Join = ReturnType<typeof openWaitlist>["join"];

export function openWaitlist(db: Database, options: JoinOptions) {
  const { maxQueueLength, totals, resend, onBatch = () => {}, onFault = () => {} } = options;
  const batchOptions = {
    wordingVersion: NEWSLETTER_CONSENT.version,
    // The batch is already written, so a failure here must not fail it. People can sign up again to get a mail.
    resend: resend && ((...args: Parameters<Resend>) => resend(...args).catch(onFault)),
  };
  const grouping = { maxBatchSize: MAX_BATCH_SIZE, maxQueueLength };
  const write = (batch: NewSignUp[]) => {
    const startedAt = performance.now();
    return retryTransient(() => writeBatch(db.pool, batchOptions, batch))
      .then((outcomes) => unmarkImported(db.pool, batch, outcomes))
      .finally(() => onBatch(batch.length, (performance.now() - startedAt) / 1000));
  };
  const writer = groupCommit((batch: NewSignUp[]) => db.breaker.write(() => write(batch)), grouping);
  // Bots are batched too, so that a flood of them uses one connection and leaves the others to people.
  const quarantine = groupCommit((batch: Caught[]) => db.breaker.write(() => insertQuarantined(db, batch)), grouping);

  const { isQuarantined, refresh } = watchQuarantinedDomains(db);

  /** Puts a person on the list, once. The idempotency key tells a retry of the same form from another sign-up. */
  async function join(
    signUp: SignUp,
    idempotency_key: string | null,
    { origin = NO_ORIGIN, network: mail_network = NO_NETWORK, isExcess = async () => false }: Circumstances = {},
  ): Promise<JoinOutcome> {
    const person = personColumns(signUp);
    if (!person) return { kind: "no-such-domain" };

    // Runs before the duplicate check, so that a bot never learns who is on the list.
    if (signUp.website || isQuarantined(person.email_key)) {
      const done = quarantine.submit({ ...person, website: signUp.website, if_room: await isExcess() });
      if (!done) return { kind: "too-many-waiting" };
      await done;
      return { kind: "quarantined", totals: await totals() };
    }
    const columns = { ...person, ...derivedColumns(person), ...origin, idempotency_key, mail_network };
    const outcome = await writer.submit(columns);
    if (outcome?.kind === "unknown") {
      db.breaker.report(outcome.reason);
      throw outcome.reason;
    }
    return outcome ?? { kind: "too-many-waiting" };
  }
  return {
    join,
    /** Call it before sign-ups arrive; otherwise, the first ones wouldn't go to quarantine by domain. Never throws. */
    loadQuarantinedDomains: refresh,
    /** The number of sign-ups waiting to be written. */
    queueLength: writer.queueLength,
  };
}
