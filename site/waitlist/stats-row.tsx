import { useQuery } from "@tanstack/react-query";
import { STATS_PATH } from "#contract/paths.ts";
import type { Stats } from "#contract/stats.ts";

const DAYS_TO_LAUNCH = 45;

/** `atLeast` holds the totals as of the visitor's own sign-up, which a cached response may not include yet. */
export function StatsRow({ atLeast }: { atLeast: Stats["data"] | undefined }) {
  const { data: stats } = useQuery<Partial<Stats> | null>({ queryKey: [STATS_PATH] });
  const shown = (name: keyof Stats["data"]) => Math.max(numberOr0(stats?.data?.[name]), numberOr0(atLeast?.[name]));
  return (
    <div className="stats">
      <dl>
        <Stat name="Total users" value={shown("totalUsers")} />
        <Stat name="Companies interested" value={shown("companiesInterested")} />
        <Stat name="Days to Launch" value={DAYS_TO_LAUNCH} />
      </dl>
    </div>
  );
}

function numberOr0(value: number | undefined): number {
  return Number.isFinite(value) ? Number(value) : 0;
}

function Stat({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={value ? "" : "text-quiet"}>{value.toLocaleString("en")}</dd>
    </div>
  );
}
