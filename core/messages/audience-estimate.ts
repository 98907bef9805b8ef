import type { Database } from "#core/database/connect.ts";
import { withinTime } from "#core/database/transaction.ts";
import type { Filter } from "#core/people/filter.ts";
import { findImpossible, RECIPIENTS } from "#core/people/filter-fields.ts";
import { estimateMatching } from "#core/people/people-count.ts";
import { type Audience, type AudienceSplit, splitAudience } from "./audience.ts";

/** Estimated from PostgreSQL's statistics, ignoring an invitation's `next`. */
export interface AudienceEstimate {
  matching: number;
  recipients: number;
}

interface Draft {
  kind: "invitation" | "announcement";
  audience: Audience;
}

/** For a draft that is being edited. Exact, unless counting takes longer than a second. */
export async function splitOrEstimate(
  db: Database,
  draft: Draft,
  maxMs?: number,
): Promise<AudienceSplit | { estimate: AudienceEstimate }> {
  const split = await withinTime(db, (transaction) => splitAudience(transaction, draft), maxMs);
  if (split) return split;
  const { next: _, ...filter } = draft.audience;
  const wanted: Filter = { ...filter, ...RECIPIENTS[draft.kind] };
  return {
    estimate: {
      matching: await estimateMatching(db, filter),
      recipients: findImpossible(draft.kind, filter) ? 0 : await estimateMatching(db, wanted),
    },
  };
}
