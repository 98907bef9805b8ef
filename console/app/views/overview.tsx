import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { REFETCH_INTERVAL_MS } from "#console/app/http/idle.ts";
import { navigate, useView } from "#console/app/http/location.tsx";
import { get } from "#console/app/http/request.ts";
import { Empty, Loaded } from "#console/app/ui/states.tsx";
import { Arrivals } from "#console/app/views/overview/arrivals.tsx";
import { Campaigns } from "#console/app/views/overview/campaigns.tsx";
import { Figures, Funnel, Ranking } from "#console/app/views/overview/figures.tsx";
import { Mail } from "#console/app/views/overview/mail.tsx";
import { SignUps } from "#console/app/views/overview/sign-ups.tsx";
import type { Overview as Numbers, Range } from "#console/contract/overview.ts";
import { formatDateTime, pluralize } from "#core/format.ts";

const TITLES: Record<Range, string> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  all: "All time",
};
const RANGES = Object.keys(TITLES) as Range[];
const DEFAULT_RANGE = "7d";

export function Overview() {
  const asked = new URLSearchParams(useView().query).get("range");
  const range = RANGES.find((one) => one === asked) ?? DEFAULT_RANGE;
  const overview = useQuery({
    queryKey: ["overview", range],
    queryFn: ({ signal }) => get<Numbers>(`/api/overview?range=${range}`, signal),
    // Hidden, the page doesn't ask: that is TanStack Query's default.
    refetchInterval: REFETCH_INTERVAL_MS,
    // The old range stays until the new one is there, so that nothing flickers.
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <title>Overview</title>
      <header className="overview-header">
        <h1>Overview</h1>
        <RangePicker range={range} />
      </header>
      <Loaded
        query={overview}
        staleText={({ madeAt }) => `These numbers are from ${formatDateTime(new Date(madeAt))} UTC.`}
      >
        {(numbers) => <Content numbers={numbers} range={range} />}
      </Loaded>
    </>
  );
}

function RangePicker({ range }: { range: Range }) {
  return (
    <fieldset className="segments" aria-label="Range">
      {RANGES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === range}
          onClick={() => navigate(`?range=${name}`, { replace: true })}
        >
          {TITLES[name]}
        </button>
      ))}
    </fieldset>
  );
}

function Content({ numbers, range }: { numbers: Numbers; range: Range }) {
  if (numbers.people === 0) return <Empty>Nobody has signed up yet. This fills as people join.</Empty>;
  const period = range === "all" ? "all time" : `last ${TITLES[range]}`;
  return (
    <div className="cards overview">
      {numbers.uncounted > 0 && (
        <p className="card wide-card counting" role="status">
          Still counting {pluralize(numbers.uncounted, "person", "people")}. Until then, everything but the number of
          people and companies is too low.
        </p>
      )}
      <Figures numbers={numbers} />
      <SignUps numbers={numbers} period={period} isAllTime={range === "all"} />
      <Campaigns numbers={numbers} period={period} />
      <div className="card-stack">
        <Funnel funnel={numbers.funnel} period={period} />
        <Mail mail={numbers.mail} now={new Date(numbers.madeAt)} />
      </div>
      <Arrivals people={numbers.newest} />
      <Ranking title="Companies" rows={numbers.topCompanies} />
      <Ranking title="Mail domains" rows={numbers.topDomains} />
    </div>
  );
}
