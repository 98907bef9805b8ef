import { Bar } from "#console/app/charts/charts.tsx";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { Empty } from "#console/app/ui/states.tsx";
import type { Overview, Ranked, Funnel as Steps } from "#console/contract/overview.ts";
import { formatNumber, formatQuarantined, formatRoundedPercent } from "#core/format.ts";

/** Totals of the list; only the live ones while the others are counted. */
export function Totals({ numbers: { people, companies, quarantined, states } }: { numbers: Overview }) {
  const totals = {
    "On the list": people,
    ...(states && { Confirmed: states.confirmed, Invited: states.invited }),
    Companies: companies,
    ...(states && { Newsletter: states.newsletter, Rejected: states.rejected }),
  };
  const values = Object.fromEntries(Object.entries(totals).map(([name, count]) => [name, formatNumber(count)]));
  const all = { ...values, "In quarantine": formatQuarantined(quarantined) };
  return <KeyValueList className="figures card wide-card" values={all} />;
}

export function Funnel({ funnel, period }: { funnel: Steps; period: string }) {
  const rows = [
    { name: "Joined", people: funnel.joined },
    { name: "Confirmed", people: funnel.confirmed },
    { name: "Invited", people: funnel.invited },
  ];
  return <Ranking title="From joined to invited" rows={rows} period={period} hasPercent />;
}

interface RankingProps {
  title: string;
  /** The largest first. */
  rows: Ranked[];
  period: string;
  /** Whether each row says how much of the largest it is. */
  hasPercent?: boolean;
}

export function Ranking({ title, rows, period, hasPercent = false }: RankingProps) {
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
                {hasPercent && <td className="quiet">{formatRoundedPercent(people, max)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
