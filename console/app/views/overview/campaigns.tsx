import { useState } from "react";
import { Bar } from "#console/app/charts/charts.tsx";
import { Button } from "#console/app/ui/button.tsx";
import { Empty } from "#console/app/ui/states.tsx";
import { type Funnel, formatRate, STEPS, type Step } from "#core/overview/funnel-steps.ts";
import { NONE } from "#core/people/filter-fields.ts";
import { describeOrigin } from "#core/people/origin.ts";
import { formatPercent } from "#core/text/format.ts";
import type { LinkFilter } from "./cards.tsx";
import { StepCount, titleOf } from "./funnel.tsx";
import type { RangeProps } from "./sign-ups.tsx";

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

/** With fewer views, the 95% interval of a typical rate exceeds ten percentage points. */
const MIN_VIEWS = 100;

/** The row of a total has no bar, because a total isn't compared with its parts. */
type RowProps = { name: string; steps: Funnel; bar?: { order: Step; max: number }; filter?: LinkFilter };

function Row({ name, steps, bar, filter }: RowProps) {
  const { accepted, views, hasPartialViews } = steps;
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>{" "}
        {accepted > 0 && !hasPartialViews && views >= MIN_VIEWS && (
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
  const isUncertain = rate && step === "joined" && steps.views < MIN_VIEWS;
  return <span className="quiet share">{isUncertain ? "too few views" : rate}</span>;
}
