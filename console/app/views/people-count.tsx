import { useApi } from "#console/app/http/use-api.ts";
import type { PeopleCount as Count } from "#console/contract/people.ts";
import { pluralize } from "#core/text/format.ts";

export function PeopleCount({ query, isExact = false }: { query: string; isExact?: boolean }) {
  const { data } = useApi<Count>(`/api/people/${isExact ? "exact-count" : "count"}?${query}`);
  return (
    <p className="quiet" role="status">
      {/* Hidden at 0, because the count ignores the list's matches inside words. */}
      {data && (isExact || data.people > 0) && countText(data)}
    </p>
  );
}

/** "1,234 people", or "About 12,300 people" if PostgreSQL estimated it. */
export function countText({ people, isEstimate }: Count): string {
  // Rounded, because an estimate isn't accurate to more digits.
  return isEstimate
    ? `About ${pluralize(Number(people.toPrecision(3)), "person", "people")}`
    : pluralize(people, "person", "people");
}
