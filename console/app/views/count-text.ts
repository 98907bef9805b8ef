import type { PeopleCount } from "#console/contract.ts";
import { pluralize } from "#core/format.ts";

/** "1,234 people", or "About 12,300 people" by PostgreSQL's statistics. */
export function countText(count: PeopleCount | undefined): string {
  if (!count) return "";
  const { people, isEstimate } = count;
  return isEstimate
    ? `About ${pluralize(roundToThreeDigits(people), "person", "people")}`
    : pluralize(people, "person", "people");
}

/** More digits would promise an accuracy that statistics don't have. */
function roundToThreeDigits(value: number): number {
  return Number(value.toPrecision(3));
}
