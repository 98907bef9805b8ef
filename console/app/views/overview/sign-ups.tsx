import { AreaChart } from "#console/app/charts/charts.tsx";
import { Empty } from "#console/app/ui/states.tsx";
import type { RangeCounts } from "#console/contract/overview.ts";
import { formatNumber, formatRoundedPercent, formatShortDate, formatShortDateTime } from "#core/text/format.ts";
import { type LinkFilter, PeopleLink } from "./cards.tsx";

const DAY_MS = 24 * 3_600_000;

export interface SignUpsProps {
  counts: RangeCounts;
  /** Such as "last 7 days". */
  period: string;
  filter: LinkFilter;
}

export function SignUps({ counts: { intervals, intervalMs, funnel }, period, filter }: SignUpsProps) {
  const points = intervals.map(({ from, joined, before }) => ({ at: new Date(from), count: joined, before }));
  const before = points.reduce((sum, point) => sum + point.before, 0);
  const formatStart = intervalMs < DAY_MS ? formatShortDateTime : formatShortDate;
  return (
    <section className="card sign-ups">
      <header>
        <h2>Sign-ups</h2>
        <p className="quiet">{period}, UTC</p>
      </header>
      <p className="progress-figure">
        <strong>
          <PeopleLink people={funnel.joined} filter={filter} />
        </strong>
        {"\u2002"}
        {filter?.since && (
          <span className={`status ${funnel.joined < before ? "" : "good"}`}>
            {describeChange(funnel.joined, before, period)}
          </span>
        )}
      </p>
      {funnel.joined === 0 ? (
        <Empty>Nobody joined in the {period}.</Empty>
      ) : (
        <AreaChart
          points={points}
          summary={`Sign-ups, ${period}: ${formatNumber(funnel.joined)}.`}
          describe={({ at, count, ...point }) => {
            const joined = `${formatStart(at)} · ${formatNumber(count)} joined`;
            return before > 0 ? `${joined} · ${formatNumber(point.before)} before` : joined;
          }}
        />
      )}
    </section>
  );
}

/** "12% more than 346 in the 7 days before" */
function describeChange(now: number, before: number, period: string): string {
  const change = `${formatRoundedPercent(Math.abs(now - before), before)} ${now < before ? "fewer" : "more"} than`;
  return `${before > 0 ? change : ""} ${formatNumber(before)} in the ${period.replace("last ", "")} before`;
}
