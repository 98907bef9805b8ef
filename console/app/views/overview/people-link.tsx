import { Link } from "#console/app/http/location.tsx";
import { formatNumber } from "#core/format.ts";
import type { FilterName } from "#core/people/filter-fields.ts";

/** As in a view's URL; undefined if no filter can select these people. */
export type LinkFilter = Partial<Record<FilterName, string>> | undefined;

export function PeopleLink({ people, filter }: { people: number; filter: LinkFilter }) {
  if (!filter) return formatNumber(people);
  return <Link href={`/people?${new URLSearchParams(filter)}`}>{formatNumber(people)}</Link>;
}
