import { formatRate, type Funnel as Numbers, STEPS, type Step } from "#core/overview/funnel-steps.ts";
import { formatNumber, formatRoundedPercent } from "#core/text/format.ts";
import { type LinkFilter, PeopleLink } from "./cards.tsx";
import type { RangeProps } from "./sign-ups.tsx";

export const titleOf = (step: Step) => step.charAt(0).toUpperCase() + step.slice(1);

export function Funnel({ counts: { funnel, before }, period, filter }: RangeProps) {
  return (
    <section className="card wide-card funnel">
      <header>
        <h2>Funnel</h2>
        <p className="quiet">
          Joined: {period}
          {before && `, compared with the ${period.replace("last ", "")} before`}
        </p>
      </header>
      <dl className="figures">
        {STEPS.map((step, index) => (
          <div key={step}>
            <dt>
              {titleOf(step)}
              {step === "views" && funnel.hasPartialViews && ", at least"}
            </dt>
            <dd>
              <StepCount steps={funnel} step={step} filter={filter} />
            </dd>
            <dd className="quiet why">
              {before && <Change now={funnel} before={before} step={step} />}
              <p>{formatRate(funnel, step) && `${formatRate(funnel, step)} of ${STEPS[index - 1]}`}</p>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Links to the people who took the step. Views have no link, because they belong to nobody. */
export function StepCount({ steps, step, filter }: { steps: Numbers; step: Step; filter: LinkFilter }) {
  const taken = step === "joined" ? {} : { [step]: "yes" };
  return <PeopleLink people={steps[step]} filter={step === "views" ? undefined : filter && { ...filter, ...taken }} />;
}

/** "+12% from 346" */
function Change({ now, before, step }: { now: Numbers; before: Numbers; step: Step }) {
  if (step === "views" && (now.hasPartialViews || before.hasPartialViews)) return null;
  if (now[step] + before[step] === 0) return null;
  const more = now[step] - before[step];
  const percent = before[step] > 0 && `${more < 0 ? "−" : "+"}${formatRoundedPercent(Math.abs(more), before[step])} `;
  return (
    <span className={`status ${more > 0 ? "good" : ""}`}>
      {percent}from {formatNumber(before[step])}
    </span>
  );
}
