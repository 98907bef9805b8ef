import { AreaChart } from "#console/app/charts/charts.tsx";
import { toLocal } from "#console/app/ui/local-time.ts";
import { Empty } from "#console/app/ui/states.tsx";
import type { RangeCounts } from "#console/contract/overview.ts";
import { formatNumber, formatShortDate, formatShortDateTime } from "#core/text/format.ts";
import type { LinkFilter } from "./cards.tsx";

const DAY_MS = 24 * 3_600_000;

export interface RangeProps {
  counts: RangeCounts;
  /** Such as "last 7 days". */
  period: string;
  filter: LinkFilter;
}

export function SignUps({ counts: { intervals, intervalMs, funnel, before }, period }: RangeProps) {
  const isDaily = intervalMs >= DAY_MS;
  // Days are in UTC, as the header says. The chart formats all times as UTC, so hours are shifted to the reader's zone.
  const points = intervals.map(({ from, joined, before }) => {
    return { at: new Date(isDaily ? from : `${toLocal(from)}Z`), count: joined, before };
  });
  const formatStart = isDaily ? formatShortDate : formatShortDateTime;
  return (
    <section className="card sign-ups">
      <header>
        <h2>Sign-ups</h2>
        <p className="quiet">
          {period}
          {isDaily && ", days in UTC"}
        </p>
      </header>
      {funnel.joined === 0 ? (
        <Empty>Nobody joined in the {period}.</Empty>
      ) : (
        <AreaChart
          points={points}
          summary={`Sign-ups, ${period}: ${formatNumber(funnel.joined)}.`}
          describe={({ at, count, ...point }) => {
            const joined = `${formatStart(at)} · ${formatNumber(count)} joined`;
            return before?.joined ? `${joined} · ${formatNumber(point.before)} before` : joined;
          }}
        />
      )}
    </section>
  );
}
