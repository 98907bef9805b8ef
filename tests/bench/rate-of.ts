import type { LoadResult } from "#tests/support/load.ts";

/** Responses per second with this status. Rejections are fast and must not count as sign-ups. */
export function rateOf(status: number, { perSecond, statuses }: LoadResult): number {
  const all = statuses.values().reduce((sum, count) => sum + count, 0);
  return (perSecond * (statuses.get(status) ?? 0)) / all;
}
