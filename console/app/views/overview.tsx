import { useQuery } from "@tanstack/react-query";
import { whileActive } from "#console/app/http/activity.ts";
import { navigate, useView } from "#console/app/http/location.tsx";
import { get } from "#console/app/http/request.ts";
import { AreaChart, Bar, ColumnChart } from "#console/app/ui/charts.tsx";
import { Empty, Loaded } from "#console/app/ui/states.tsx";
import type { Overview as Numbers } from "#console/contract.ts";
import { formatNumber, formatRoundedPercent, formatShortDate, formatShortDateTime } from "#core/format.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const RANGES = {
  "72h": { title: "72 hours", spanMs: HOUR_MS, format: formatShortDateTime },
  "30d": { title: "30 days", spanMs: DAY_MS, format: formatShortDate },
  "90d": { title: "90 days", spanMs: DAY_MS, format: formatShortDate },
  all: { title: "All time", spanMs: DAY_MS, format: formatShortDate },
} as const;

type Range = keyof typeof RANGES;

export function Overview() {
  const overview = useQuery({
    queryKey: ["overview"],
    queryFn: ({ signal }) => get<Numbers>("/api/overview", signal),
    refetchInterval: whileActive,
  });
  return (
    <>
      <title>Overview</title>
      <h1>Overview</h1>
      <Loaded query={overview}>{(numbers) => <Content numbers={numbers} />}</Loaded>
    </>
  );
}

function Content({ numbers }: { numbers: Numbers }) {
  if (numbers.signUps === 0) return <Empty>Nobody has signed up yet. This fills as people join.</Empty>;
  return (
    <div className="cards">
      <Figures numbers={numbers} />
      <SignUps numbers={numbers} />
      <Funnel numbers={numbers} />
      <Ranking
        title="Sources"
        rows={numbers.topSources.map((row) => ({ name: sourceName(row), signUps: row.signUps }))}
      />
      <Ranking title="Companies" rows={numbers.topCompanies} />
      <Ranking title="Mail domains" rows={numbers.topDomains} />
    </div>
  );
}

function Figures({ numbers }: { numbers: Numbers }) {
  const figures = {
    "On the list": numbers.signUps,
    "Last 24 hours": numbers.lastDay,
    "Last 7 days": numbers.lastWeek,
    Companies: numbers.companies,
    Newsletter: numbers.newsletter,
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

function SignUps({ numbers }: { numbers: Numbers }) {
  const range = (new URLSearchParams(useView().query).get("range") ?? "72h") as Range;
  const { title, spanMs, format } = RANGES[range] ?? RANGES["72h"];
  const points = pointsOf(numbers, range);
  const summary = `Sign-ups, ${title}: ${formatNumber(points.reduce((sum, { count }) => sum + count, 0))} people.`;
  return (
    <section className="card wide-card">
      <header>
        <h2>Sign-ups</h2>
        <fieldset className="segments" aria-label="Range">
          {Object.entries(RANGES).map(([name, { title }]) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === range}
              onClick={() => navigate(`?range=${name}`, { replace: true })}
            >
              {title}
            </button>
          ))}
        </fieldset>
      </header>
      {range === "all" ? (
        <AreaChart points={runningTotal(points)} unit="people" summary={summary} />
      ) : (
        <ColumnChart
          points={points}
          unit="people"
          summary={summary}
          spanMs={spanMs}
          now={new Date(numbers.madeAt)}
          formatStart={format}
        />
      )}
    </section>
  );
}

function pointsOf({ hours, days }: Numbers, range: Range) {
  const rows = range === "72h" ? hours : range === "30d" ? days.slice(-30) : range === "90d" ? days.slice(-90) : days;
  return rows.map(({ from, signUps }) => ({ at: new Date(from), count: signUps }));
}

function runningTotal(points: { at: Date; count: number }[]) {
  let total = 0;
  return points.map(({ at, count }) => {
    total += count;
    return { at, count: total };
  });
}

function Funnel({ numbers: { signUps, confirmed, invited } }: { numbers: Numbers }) {
  const steps = { Joined: signUps, Confirmed: confirmed, Invited: invited };
  return (
    <section className="card">
      <header>
        <h2>From joined to invited</h2>
      </header>
      <table>
        <tbody>
          {Object.entries(steps).map(([name, people]) => (
            <tr key={name}>
              <th scope="row">
                {name}
                <Bar value={people} max={signUps} />
              </th>
              <td>{formatNumber(people)}</td>
              <td className="quiet">{formatRoundedPercent(people, signUps)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Ranking({ title, rows }: { title: string; rows: { name: string; signUps: number }[] }) {
  const max = rows[0]?.signUps ?? 0;
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
      </header>
      {rows.length === 0 ? (
        <Empty>None yet.</Empty>
      ) : (
        <table>
          <tbody>
            {rows.map(({ name, signUps }) => (
              <tr key={name}>
                <th scope="row">
                  {name}
                  <Bar value={signUps} max={max} />
                </th>
                <td>{formatNumber(signUps)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function sourceName({ source, medium, campaign }: Numbers["topSources"][number]): string {
  return [source, medium, campaign].filter(Boolean).join(" · ");
}
