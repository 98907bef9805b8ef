import { Bar } from "#console/app/charts/charts.tsx";
import { Link } from "#console/app/http/location.tsx";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { Empty } from "#console/app/ui/states.tsx";
import type { Overview, Ranked } from "#console/contract/overview.ts";
import { formatNumber, formatQuarantined } from "#core/format.ts";
import { type LinkFilter, PeopleLink } from "./people-link.tsx";

/** The list's totals; only the live ones until the others are counted. */
export function Totals({ numbers: { people, companies, quarantined, states } }: { numbers: Overview }) {
  const values = {
    "On the list": <PeopleLink people={people} filter={{}} />,
    ...(states && {
      Confirmed: <PeopleLink people={states.confirmed} filter={{ confirmed: "yes" }} />,
      Invited: <PeopleLink people={states.invited} filter={{ invited: "yes" }} />,
      Newsletter: <PeopleLink people={states.newsletter} filter={{ newsletter: "yes" }} />,
      Rejected: <PeopleLink people={states.rejected} filter={{ rejected: "yes" }} />,
    }),
    Companies: formatNumber(companies),
    "In quarantine": <Link href="/quarantine">{formatQuarantined(quarantined)}</Link>,
  };
  return <KeyValueList className="figures card wide-card" values={values} />;
}

interface RankingProps {
  title: string;
  /** Largest first. */
  rows: Ranked[];
  /** The filter that a row's link adds to `filter`, with the row's name. */
  by: "company" | "domain";
  filter: LinkFilter;
  period: string;
}

export function Ranking({ title, rows, by, filter, period }: RankingProps) {
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
                <td>
                  <PeopleLink people={people} filter={{ ...filter, [by]: name }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
