import { Link } from "#console/app/http/location.tsx";
import { formatNumber } from "#core/format.ts";
import type { FilterName } from "#core/people/filter-fields.ts";

/** As in the URL of a view; undefined for people whom no filter selects. */
export type LinkFilter = Partial<Record<FilterName, string>> | undefined;

/** A number that opens the people it counts. */
export function PeopleLink({ people, filter }: { people: number; filter: LinkFilter }) {
  if (!filter) return formatNumber(people);
  return <Link href={`/people?${new URLSearchParams(filter)}`}>{formatNumber(people)}</Link>;
}
