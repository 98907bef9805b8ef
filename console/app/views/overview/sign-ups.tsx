import { AreaChart, ColumnChart } from "#console/app/charts/charts.tsx";
import { Empty } from "#console/app/ui/states.tsx";
import type { RangeCounts } from "#console/contract/overview.ts";
import { formatNumber, formatShortDate, formatShortDateTime } from "#core/format.ts";

const DAY_MS = 24 * 3_600_000;

interface SignUpsProps {
  counts: RangeCounts;
  now: Date;
  /** Such as "last 7 days". */
  period: string;
  isAllTime: boolean;
}

/** How many joined in each interval, or for all time how many there were after each day. */
export function SignUps({ counts, now, period, isAllTime }: SignUpsProps) {
  const { intervals, intervalMs, funnel } = counts;
  const points = intervals.map(({ from, joined }) => ({ at: new Date(from), count: joined }));
  const summary = `Sign-ups, ${period}: ${formatNumber(funnel.joined)}.`;
  return (
    <section className="card wide-card">
      <header>
        <h2>Sign-ups</h2>
        <p>
          <strong className="headline">{formatNumber(funnel.joined)}</strong>{" "}
          <span className="quiet">{period}, UTC</span>
        </p>
      </header>
      {funnel.joined === 0 ? (
        <Empty>Nobody joined in the {period}.</Empty>
      ) : isAllTime ? (
        <AreaChart points={runningTotal(points)} summary={summary} />
      ) : (
        <ColumnChart
          points={points}
          summary={summary}
          spanMs={intervalMs}
          now={now}
          formatStart={intervalMs < DAY_MS ? formatShortDateTime : formatShortDate}
        />
      )}
    </section>
  );
}

function runningTotal(points: { at: Date; count: number }[]) {
  let total = 0;
  return points.map(({ at, count }) => {
    total += count;
    return { at, count: total };
  });
}
