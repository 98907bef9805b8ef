import type { PeopleCount } from "#console/contract.ts";
import { pluralize } from "#core/format.ts";

/** "1,234 people", or by PostgreSQL's statistics "About 12,300 people" or "Fewer than 1,000 people". */
export function countText(count: PeopleCount | undefined): string {
  if (!count) return "";
  const { people, isEstimate, isMaximum } = count;
  if (isMaximum) return `Fewer than ${pluralize(people, "person", "people")}`;
  if (isEstimate) return `About ${pluralize(roundToThreeDigits(people), "person", "people")}`;
  return pluralize(people, "person", "people");
}

/** More digits would promise an accuracy that statistics don't have. */
function roundToThreeDigits(value: number): number {
  return Number(value.toPrecision(3));
}
