import type { LoadResult } from "#tests/support/load.ts";

/** Responses per second with this status: a refusal is quick, and no sign-up. */
export function rateOf(status: number, { perSecond, statuses }: LoadResult): number {
  const all = statuses.values().reduce((sum, count) => sum + count, 0);
  return (perSecond * (statuses.get(status) ?? 0)) / all;
}
