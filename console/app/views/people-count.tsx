import { useApi } from "#console/app/http/use-api.ts";
import type { PeopleCount as Count } from "#console/contract/people.ts";
import { pluralize } from "#core/text/format.ts";

export function PeopleCount({ query, isZeroShown = false }: { query: string; isZeroShown?: boolean }) {
  const { data } = useApi<Count>(`/api/people/count?${query}`);
  return (
    <p className="quiet" role="status">
      {/* Hidden at 0, because the count ignores the list's matches inside words. */}
      {data && (isZeroShown || data.people > 0) && pluralize(data.people, "person", "people")}
    </p>
  );
}
