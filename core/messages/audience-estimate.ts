import type { Database } from "#core/database/connect.ts";
import { withinTime } from "#core/database/transaction.ts";
import type { Filter } from "#core/people/filter.ts";
import { impossibleFilters, RECIPIENTS } from "#core/people/filter-fields.ts";
import { estimateMatching } from "#core/people/people-count.ts";
import { splitAudience } from "./audience.ts";
import type { Draft } from "./messages.ts";

/** Counts the audience of a draft being edited, or estimates it if counting takes longer than a second. */
export async function splitOrEstimate(db: Database, draft: Pick<Draft, "kind" | "audience">, maxMs?: number) {
  const split = await withinTime(db, (transaction) => splitAudience(transaction, draft), maxMs);
  if (split) return split;
  const { next: _, ...filter } = draft.audience;
  const wanted: Filter = { ...filter, ...RECIPIENTS[draft.kind] };
  return {
    /** From PostgreSQL's statistics, ignoring an invitation's `next`. */
    estimate: {
      matching: await estimateMatching(db, filter),
      recipients: impossibleFilters(draft.kind, filter).length ? 0 : await estimateMatching(db, wanted),
    },
  };
}
