import { keepPreviousData } from "@tanstack/react-query";
import { useParameters } from "#console/app/http/location.tsx";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { Segments } from "#console/app/ui/segments.tsx";
import { Empty, Loaded } from "#console/app/ui/states.tsx";
import { Time } from "#console/app/ui/times.tsx";
import { Answers } from "#console/app/views/overview/answers.tsx";
import { Campaigns } from "#console/app/views/overview/campaigns.tsx";
import { Arrivals, Mail, Next, Ranking, Totals } from "#console/app/views/overview/cards.tsx";
import { Funnel } from "#console/app/views/overview/funnel.tsx";
import { SignUps } from "#console/app/views/overview/sign-ups.tsx";
import type { Overview as Numbers, Range } from "#console/contract/overview.ts";
import type { Role } from "#console/contract/roles.ts";
import { formatDateTime } from "#core/text/format.ts";

const TITLES: Record<Range, string> = { "24h": "24 hours", "7d": "7 days", "30d": "30 days", all: "All time" };
const RANGES = Object.keys(TITLES) as Range[];
const DEFAULT_RANGE = "7d";

export function Overview({ role }: { role: Role }) {
  const { values, change } = useParameters();
  const range = RANGES.find((one) => one === values.get("range")) ?? DEFAULT_RANGE;
  const overview = useApi<Numbers>(`/api/overview?range=${range}`, {
    ...LIVE,
    // Shows the previous range until the new one is loaded, so that nothing flickers.
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <title>Overview</title>
      <header className="heading">
        <h1>Overview</h1>
        {overview.data && (
          // In UTC, because a printout is read in other zones, without tooltips.
          <p className="print-only">
            {TITLES[range]}, as of {formatDateTime(new Date(overview.data.countedAt ?? overview.data.madeAt))} UTC
          </p>
        )}
        <Button className="button" onClick={() => window.print()}>
          Print or save as PDF…
        </Button>
        <Segments label="Range" titles={TITLES} chosen={range} onChoose={(name) => change("range", name)} />
      </header>
      <Loaded
        query={overview}
        staleText={({ madeAt }) => (
          <>
            These numbers are from <Time at={madeAt} />.
          </>
        )}
      >
        {(numbers) => <Content numbers={numbers} range={range} role={role} />}
      </Loaded>
    </>
  );
}

function Content({ numbers, range, role }: { numbers: Numbers; range: Range; role: Role }) {
  const { range: counts, madeAt } = numbers;
  if (numbers.people === 0) return <Empty>Nobody has signed up yet. Numbers appear here as people join.</Empty>;
  const period = range === "all" ? "all time" : `last ${TITLES[range]}`;
  const since = range === "all" ? undefined : counts?.intervals[0]?.from;
  const filter = since ? { since: new Date(since).toISOString() } : {};
  return (
    <div className="overview">
      <CountedAt numbers={numbers} />
      {counts && <Funnel counts={counts} period={period} filter={filter} />}
      {counts && <SignUps counts={counts} period={period} filter={filter} />}
      <Next numbers={numbers} role={role} />
      <Totals numbers={numbers} />
      {counts && <Campaigns counts={counts} period={period} filter={filter} />}
      <Arrivals people={numbers.newest} />
      <Answers questions={numbers.answers ?? []} />
      {counts && <Ranking title="Companies" rows={counts.companies} by="company" filter={filter} period={period} />}
      {counts && <Ranking title="Mail domains" rows={counts.domains} by="domain" filter={filter} period={period} />}
      <Mail mail={numbers.mail} now={new Date(madeAt)} />
    </div>
  );
}

function CountedAt({ numbers: { states, range, countedAt } }: { numbers: Numbers }) {
  if (states && range && !countedAt) return null;
  return (
    <p className="card wide-card" role="status">
      {states && range && countedAt ? (
        <>
          The list is long: some of these numbers are from <Time at={countedAt} />. The number of people and companies,
          mail and the newest are up to date.
        </>
      ) : (
        "Counting a long list. The missing numbers will appear here."
      )}
    </p>
  );
}
