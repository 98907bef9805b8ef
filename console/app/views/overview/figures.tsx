import { Bar } from "#console/app/charts/charts.tsx";
import { Empty } from "#console/app/ui/states.tsx";
import type { Overview, Ranked, Funnel as Steps } from "#console/contract/overview.ts";
import { formatNumber, formatRoundedPercent } from "#core/format.ts";

/** The whole list; only what is live while the rest is being counted. */
export function Totals({ numbers: { people, companies, quarantined, states } }: { numbers: Overview }) {
  const totals = {
    "On the list": people,
    ...(states && { Confirmed: states.confirmed, Invited: states.invited }),
    Companies: companies,
    ...(states && { Newsletter: states.newsletter, Rejected: states.rejected }),
    "In quarantine": quarantined,
  };
  return (
    <dl className="figures card wide-card">
      {Object.entries(totals).map(([name, value]) => (
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

export function Ranking({ title, rows, period }: { title: string; rows: Ranked[]; period: string }) {
  const max = rows[0]?.people ?? 0;
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        <p className="quiet">Joined: {period}</p>
      </header>
      {rows.length === 0 ? (
        <Empty>None.</Empty>
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
