import { Bar } from "#console/app/charts/charts.tsx";
import { Empty } from "#console/app/ui/states.tsx";
import { TableHead } from "#console/app/ui/table-head.tsx";
import type { Funnel, RangeCounts, Source } from "#console/contract/overview.ts";
import { formatNumber, formatRoundedPercent } from "#core/format.ts";

/** How far people came who joined in the range, by the campaign that brought them. */
export function Campaigns({ counts, period }: { counts: RangeCounts; period: string }) {
  const { sources, otherSources, funnel } = counts;
  return (
    <section className="card campaigns">
      <header>
        <h2>Campaigns</h2>
        <p className="quiet">Joined: {period}</p>
      </header>
      {funnel.joined === 0 ? (
        <Empty>Nobody joined in the {period}.</Empty>
      ) : (
        <table>
          <TableHead columns={["Source, medium, campaign", "Joined", "Confirmed", "Invited"]} />
          <tbody>
            {sources.map((source) => (
              <Row key={nameOf(source)} name={nameOf(source)} steps={source} max={sources[0]?.joined ?? 0} />
            ))}
            {otherSources.joined > 0 && (
              <Row name="Other campaigns" steps={otherSources} max={sources[0]?.joined ?? 0} />
            )}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Row({ name, steps, max }: { name: string; steps: Funnel; max: number }) {
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        <Bar value={Math.min(steps.joined, max)} max={max} />
      </th>
      <td>{formatNumber(steps.joined)}</td>
      <Step people={steps.confirmed} of={steps.joined} />
      <Step people={steps.invited} of={steps.joined} />
    </tr>
  );
}

function Step({ people, of }: { people: number; of: number }) {
  return (
    <td>
      {formatNumber(people)} <span className="quiet share">{formatRoundedPercent(people, of)}</span>
    </td>
  );
}

function nameOf({ source, medium, campaign }: Source): string {
  return [source, medium, campaign].filter(Boolean).join(" · ") || "No campaign";
}
