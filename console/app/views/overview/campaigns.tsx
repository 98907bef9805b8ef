import { useState } from "react";
import { Bar } from "#console/app/charts/charts.tsx";
import { Button } from "#console/app/ui/button.tsx";
import { Empty } from "#console/app/ui/states.tsx";
import { type Funnel, formatRate, STEPS, type Step } from "#core/overview/funnel-steps.ts";
import { NONE } from "#core/people/filter-fields.ts";
import { describeOrigin } from "#core/people/origin.ts";
import { formatPercent, formatRoundedPercent } from "#core/text/format.ts";
import type { LinkFilter } from "./cards.tsx";
import { StepCount, titleOf } from "./funnel.tsx";
import type { RangeProps } from "./sign-ups.tsx";
import { wilsonInterval } from "./wilson-interval.ts";

export function Campaigns({ counts: { sources, otherSources, funnel }, period, filter }: RangeProps) {
  const [order, setOrder] = useState<Step>("joined");
  const sorted = sources.toSorted((a, b) => b[order] - a[order]);
  const bar = { order, max: sorted[0]?.[order] ?? 0 };
  return (
    <section className="card campaigns">
      <header>
        <h2>Campaigns</h2>
        <p className="quiet">Joined: {period}. Each share is of the step before.</p>
      </header>
      {funnel.joined + funnel.views === 0 ? (
        <Empty>Nobody came in the {period}.</Empty>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Source, medium, campaign</th>
              {STEPS.map((step) => (
                <th key={step} scope="col" aria-sort={step === order ? "descending" : undefined}>
                  <Button onClick={() => setOrder(step)}>{titleOf(step)}</Button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((steps) => {
              const { source, medium, campaign } = steps;
              const name = describeOrigin(steps) || "No campaign";
              const names = { source: source ?? NONE, medium: medium ?? NONE, campaign: campaign ?? NONE };
              return <Row key={name} name={name} steps={steps} bar={bar} filter={{ ...filter, ...names }} />;
            })}
            {otherSources.joined + otherSources.views > 0 && (
              <Row name="Other campaigns" steps={otherSources} bar={bar} />
            )}
            <Row name="Everyone" steps={funnel} filter={filter} />
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Ten percentage points. */
const MAX_UNCERTAINTY = 0.1;

/** The row of a total has no bar, because a total isn't compared with its parts. */
type RowProps = { name: string; steps: Funnel; bar?: { order: Step; max: number }; filter?: LinkFilter };

function Row({ name, steps, bar, filter }: RowProps) {
  const { accepted, views, hasPartialViews } = steps;
  const [low, high] = wilsonInterval(accepted, views);
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>{" "}
        {accepted > 0 && !hasPartialViews && high - low <= MAX_UNCERTAINTY && (
          <span className="quiet">{formatPercent(accepted / views)} of views accepted</span>
        )}
        {bar && <Bar value={Math.min(steps[bar.order], bar.max)} max={bar.max} />}
      </th>
      {STEPS.map((step) => (
        <td key={step}>
          <StepCount steps={steps} step={step} filter={filter} /> <Share steps={steps} step={step} />
        </td>
      ))}
    </tr>
  );
}

function Share({ steps, step }: { steps: Funnel; step: Step }) {
  if (step === "views" && steps.hasPartialViews) return <span className="quiet share">or more</span>;
  const rate = formatRate(steps, step);
  const [low, high] = wilsonInterval(steps.joined, steps.views);
  const isUncertain = rate && step === "joined" && high - low > MAX_UNCERTAINTY;
  const title = `probably between ${formatRoundedPercent(low, 1)} and ${formatRoundedPercent(high, 1)}`;
  return (
    <span className="quiet share" title={isUncertain ? title : undefined}>
      {isUncertain ? "too few views" : rate}
    </span>
  );
}
