import { formatNumber, pluralize } from "#core/text/format.ts";

/** "1,204 people are ahead of you"; beyond a million, in thousands. */
export function describeAhead(ahead: number, whom: "you" | "them"): string {
  if (ahead === 0) return `Nobody is ahead of ${whom}`;
  if (ahead > 1_000_000) return `About ${formatNumber(Math.round(ahead / 1000) * 1000)} people are ahead of ${whom}`;
  return `${pluralize(ahead, "person is", "people are")} ahead of ${whom}`;
}
