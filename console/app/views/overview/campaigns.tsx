import { useState } from "react";
import { Bar } from "#console/app/charts/charts.tsx";
import { Segments } from "#console/app/ui/segments.tsx";
import { Empty } from "#console/app/ui/states.tsx";
import { TableHead } from "#console/app/ui/table.tsx";
import type { Funnel, Source } from "#console/contract/overview.ts";
import { NONE } from "#core/people/filter-fields.ts";
import { describeOrigin } from "#core/people/origin.ts";
import { formatRoundedPercent } from "#core/text/format.ts";
import { type LinkFilter, PeopleLink } from "./cards.tsx";
import type { SignUpsProps } from "./sign-ups.tsx";

const ORDERS = { joined: "Most people", confirmed: "Best conversion" };

export function Campaigns({ counts: { sources, otherSources, funnel }, period, filter }: SignUpsProps) {
  const [order, setOrder] = useState<keyof typeof ORDERS>("joined");
  const max = sources[0]?.joined ?? 0;
  const share = ({ joined, confirmed }: Source) => confirmed / joined;
  const sorted = order === "joined" ? sources : sources.toSorted((a, b) => share(b) - share(a));
  return (
    <section className="card campaigns">
      <header>
        <h2>Campaigns</h2>
        <Segments label="Order" titles={ORDERS} chosen={order} onChoose={setOrder} />
        <p className="quiet">Joined: {period}</p>
      </header>
      {funnel.joined === 0 ? (
        <Empty>Nobody joined in the {period}.</Empty>
      ) : (
        <table>
          <TableHead columns={["Source, medium, campaign", "Joined", "Confirmed", "Invited"]} />
          <tbody>
            {sorted.map((source) => (
              <Row
                key={nameOf(source)}
                name={nameOf(source)}
                steps={source}
                max={max}
                filter={{ ...filter, ...namesOf(source) }}
              />
            ))}
            {otherSources.joined > 0 && <Row name="Other campaigns" steps={otherSources} max={max} />}
            <Row name="Everyone" steps={funnel} filter={filter} />
          </tbody>
        </table>
      )}
    </section>
  );
}

const STEPS = { joined: {}, confirmed: { confirmed: "yes" }, invited: { invited: "yes" } };

/** The row of a total has no `max` and no bar, because a total isn't compared with its parts. */
type RowProps = { name: string; steps: Funnel; max?: number; filter?: LinkFilter };

function Row({ name, steps, max, filter }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        {max !== undefined && <Bar value={Math.min(steps.joined, max)} max={max} />}
      </th>
      {(Object.keys(STEPS) as (keyof Funnel)[]).map((step) => (
        <td key={step}>
          <PeopleLink people={steps[step]} filter={filter && { ...filter, ...STEPS[step] }} />{" "}
          {step !== "joined" && <span className="quiet share">{formatRoundedPercent(steps[step], steps.joined)}</span>}
        </td>
      ))}
    </tr>
  );
}

const nameOf = (source: Source) => describeOrigin(source) || "No campaign";

function namesOf({ source, medium, campaign }: Source) {
  return { source: source ?? NONE, medium: medium ?? NONE, campaign: campaign ?? NONE };
}
