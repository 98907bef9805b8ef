import type { NewSignUp } from "#core/database/tables.ts";
import type { Executor } from "#core/database/transaction.ts";
import type { WriteOutcome } from "./write-batch.ts";

/**
 * Removes the mark of their import from people who now sign up themselves, so that taking the import back leaves them
 * alone. Returns the batch's outcomes. Never throws: the batch is committed, and an error here must not fail the new
 * sign-ups.
 */
export async function unmarkImported(
  db: Executor,
  signUps: NewSignUp[],
  outcomes: WriteOutcome[],
): Promise<WriteOutcome[]> {
  const isKnown = (outcome: WriteOutcome | undefined) => outcome?.kind === "already-joined";
  const known = signUps.filter((_, index) => isKnown(outcomes[index]));
  if (known.length === 0) return outcomes;
  try {
    await db.query({
      name: "unmark-imported",
      text: `
        update sign_ups set utm = utm - 'import'
        from (
          select id from sign_ups where email_key = any($1::text[]) and utm ? 'import'
          -- In the order of ids, so that two servers with the same duplicates can't deadlock.
          order by id for no key update
        ) as imported where sign_ups.id = imported.id`,
      values: [known.map(({ email_key }) => email_key)],
    });
    return outcomes;
  } catch (reason) {
    return outcomes.map((outcome) => (isKnown(outcome) ? { kind: "unknown", reason } : outcome));
  }
}
