import { AreaChart } from "#console/app/charts/charts.tsx";
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
  const points = intervals.map(({ from, joined, before }) => ({ at: new Date(from), count: joined, before }));
  const formatStart = intervalMs < DAY_MS ? formatShortDateTime : formatShortDate;
  return (
    <section className="card sign-ups">
      <header>
        <h2>Sign-ups</h2>
        <p className="quiet">{period}, UTC</p>
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
