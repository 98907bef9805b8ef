import { Bar } from "#console/app/ui/charts.tsx";
import { Empty } from "#console/app/ui/states.tsx";
import type { Overview, Funnel as Steps } from "#console/contract/overview.ts";
import { formatNumber, formatRoundedPercent } from "#core/format.ts";

export function Figures({ numbers }: { numbers: Overview }) {
  const figures = {
    "On the list": numbers.people,
    Confirmed: numbers.confirmed,
    Invited: numbers.invited,
    Companies: numbers.companies,
    Newsletter: numbers.newsletter,
    Rejected: numbers.rejected,
    "In quarantine": numbers.quarantined,
  };
  return (
    <dl className="figures card wide-card">
      {Object.entries(figures).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Funnel({ funnel, period }: { funnel: Steps; period: string }) {
  const steps = { Joined: funnel.joined, Confirmed: funnel.confirmed, Invited: funnel.invited };
  return (
    <section className="card">
      <header>
        <h2>From joined to invited</h2>
        <p className="quiet">Joined: {period}</p>
      </header>
      <table>
        <tbody>
          {Object.entries(steps).map(([name, people]) => (
            <tr key={name}>
              <th scope="row">
                {name}
                <Bar value={people} max={funnel.joined} />
              </th>
              <td>{formatNumber(people)}</td>
              <td className="quiet">{formatRoundedPercent(people, funnel.joined)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Ranking({ title, rows }: { title: string; rows: { name: string; people: number }[] }) {
  const max = rows[0]?.people ?? 0;
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        <p className="quiet">All time</p>
      </header>
      {rows.length === 0 ? (
        <Empty>None yet.</Empty>
      ) : (
        <table>
          <tbody>
            {rows.map(({ name, people }) => (
              <tr key={name}>
                <th scope="row">
                  <bdi>{name}</bdi>
                  <Bar value={people} max={max} />
                </th>
                <td>{formatNumber(people)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
