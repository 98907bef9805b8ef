import type { Database } from "#core/database/connect.ts";
import { withinTime } from "#core/database/transaction.ts";
import type { Filter } from "#core/people/filter.ts";
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

/** The rule for recipients as filters, because PostgreSQL can estimate only those. */
const RECIPIENTS: Record<Draft["kind"], Filter> = {
  invitation: { confirmed: true, rejected: false, invited: false },
  announcement: { confirmed: true, rejected: false, newsletter: true },
};

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
  const isContradiction = Object.entries(filter).some(([name, value]) => wanted[name as keyof Filter] !== value);
  return {
    estimate: {
      matching: await estimateMatching(db, filter),
      recipients: isContradiction ? 0 : await estimateMatching(db, wanted),
    },
  };
}
