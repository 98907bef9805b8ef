import { type RawBuilder, sql } from "kysely";
import { isListed } from "#core/people/states.ts";

export type Range = "24h" | "7d" | "30d" | "all";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The number and length of a range's intervals; the last is the current one. "all" starts at the first sign-up. */
export const RANGES: Record<Range, { intervals: number; intervalMs: number }> = {
  "24h": { intervals: 24, intervalMs: HOUR_MS },
  "7d": { intervals: 28, intervalMs: 6 * HOUR_MS },
  "30d": { intervals: 30, intervalMs: DAY_MS },
  // Shows at least two weeks.
  all: { intervals: 14, intervalMs: DAY_MS },
};

/** The start of the interval that a timestamp is in: an hour, a quarter of a day or a day in UTC. */
export function intervalOf(range: Range, timestamp: RawBuilder<unknown>): RawBuilder<Date> {
  return sql`date_bin(make_interval(secs => ${RANGES[range].intervalMs / 1000}), ${timestamp}, 'epoch')`;
}

export function startOf(range: Range): RawBuilder<Date> {
  const { intervals, intervalMs } = RANGES[range];
  return sql`${intervalOf(range, sql`now()`)} - make_interval(secs => ${((intervals - 1) * intervalMs) / 1000})`;
}

const isIn = (range: Range, time: RawBuilder<unknown>) =>
  range === "all" ? sql<boolean>`true` : sql<boolean>`${time} >= ${startOf(range)}`;

/**
 * Whether someone on the list joined in the range. Console and terminal share it, so that "last 7 days" means the same
 * in both.
 */
export const joinedIn = (range: Range) => sql<boolean>`${isListed} and ${isIn(range, sql`joined_at`)}`;

export const viewedIn = (range: Range) => isIn(range, sql`hour`);
