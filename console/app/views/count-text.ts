import type { PeopleCount } from "#console/contract.ts";
import { pluralize } from "#core/format.ts";

/** "1,234 people", or by PostgreSQL's statistics "About 12,300 people". */
export function countText(count: PeopleCount | undefined): string {
  if (!count) return "";
  const { people, isEstimate } = count;
  // More digits would promise an accuracy that statistics don't have.
  return isEstimate
    ? `About ${pluralize(Number(people.toPrecision(3)), "person", "people")}`
    : pluralize(people, "person", "people");
}
