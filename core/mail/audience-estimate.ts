import type { Database } from "#core/database/connect.ts";
import type { Filter } from "#core/waitlist/filter.ts";
import { countPeople, type PeopleCount, planMatching } from "#core/waitlist/people-count.ts";
import { type Audience, type AudienceSplit, splitAudience } from "./audience.ts";

/** Estimated from PostgreSQL's statistics, without the limit of an invitation. */
export interface AudienceEstimate {
  matching: PeopleCount;
  recipients: PeopleCount;
}

interface Draft {
  kind: "invitation" | "announcement";
  audience: Audience;
}

/** What recipients have in common, as filters, because only those have statistics. */
const RECIPIENTS: Record<Draft["kind"], Filter> = {
  invitation: { confirmed: true, rejected: false, invited: false },
  announcement: { confirmed: true, rejected: false, newsletter: true },
};

/** In PostgreSQL's units: reading about 250,000 people, which takes a tenth of a second. */
const MAX_COST = 10_000;

/** For a draft while someone edits it: exact, unless that would read too much of the list for each change. */
export async function splitOrEstimate(
  db: Database,
  { kind, audience }: Draft,
  maxCost = MAX_COST,
): Promise<AudienceSplit | { estimate: AudienceEstimate }> {
  const { next: _, ...filter } = audience;
  if ((await planMatching(db, filter)).cost <= maxCost) return splitAudience(db, { kind, audience });
  return {
    estimate: { matching: await countPeople(db, filter), recipients: await estimateRecipients(db, kind, filter) },
  };
}

async function estimateRecipients(db: Database, kind: Draft["kind"], filter: Filter): Promise<PeopleCount> {
  const wanted = { ...filter, ...RECIPIENTS[kind] };
  const isContradiction = Object.entries(filter).some(([name, value]) => wanted[name as keyof Filter] !== value);
  return isContradiction ? { people: 0, isEstimate: false } : countPeople(db, wanted);
}
