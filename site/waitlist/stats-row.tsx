import { useQuery } from "@tanstack/react-query";
import { STATS_PATH } from "#contract/paths.ts";
import type { Stats } from "#contract/stats.ts";

const DAYS_TO_LAUNCH = 45;

/** `atLeast` is the totals from the visitor's own sign-up, so that a cached response can't un-count them. */
export function StatsRow({ atLeast }: { atLeast: Stats["data"] | undefined }) {
  const { data: stats } = useQuery<Partial<Stats> | null>({ queryKey: [STATS_PATH] });
  const shown = (name: keyof Stats["data"]) => Math.max(stats?.data?.[name] ?? 0, atLeast?.[name] ?? 0);
  return (
    <dl className="grid grid-cols-3 gap-4 border-t border-line pt-6">
      <Stat name="Total users" value={shown("totalUsers")} />
      <Stat name="Companies interested" value={shown("companiesInterested")} />
      <Stat name="Days to Launch" value={DAYS_TO_LAUNCH} />
    </dl>
  );
}

function Stat({ name, value }: { name: string; value: number }) {
  return (
    <div className="flex flex-col-reverse justify-end gap-1">
      <dt className="text-sm leading-snug text-quiet">{name}</dt>
      <dd className="text-3xl font-medium tracking-tight tabular-nums">{value.toLocaleString("en")}</dd>
    </div>
  );
}
