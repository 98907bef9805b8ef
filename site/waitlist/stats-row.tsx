import { useQuery } from "@tanstack/react-query";
import * as content from "#brand/content.ts";
import { STATS_PATH } from "#contract/paths.ts";
import type { Stats } from "#contract/stats.ts";

/** `atLeast` holds the totals as of the visitor's own sign-up, which a cached response may not include yet. */
export function StatsRow({ atLeast }: { atLeast: Stats["data"] | undefined }) {
  const { data: stats } = useQuery<Partial<Stats> | null>({ queryKey: [STATS_PATH] });
  const shown = (name: keyof Stats["data"]) => Math.max(numberOr0(stats?.data?.[name]), numberOr0(atLeast?.[name]));
  return (
    // One row if its numbers fit, as seven-digit ones do, otherwise several.
    <div className="@container border-t border-line pt-6">
      <dl className="grid gap-x-4 gap-y-3 @md:flex @md:flex-wrap @md:justify-between">
        <Stat name={content.totalUsers} value={shown("totalUsers")} />
        <Stat name={content.companiesInterested} value={shown("companiesInterested")} />
        <Stat name={content.daysToLaunch} value={content.DAYS_TO_LAUNCH} />
      </dl>
    </div>
  );
}

function numberOr0(value: number | undefined): number {
  return Number.isFinite(value) ? Number(value) : 0;
}

function Stat({ name, value }: { name: string; value: number }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 @md:flex-col-reverse @md:[justify-content:start]">
      <dt className="text-[0.875rem] text-quiet">{name}</dt>
      <dd
        className={`text-[1.5rem] font-medium tracking-tight tabular-nums @md:text-[clamp(2.25rem,8cqi,3rem)] @md:leading-[1.1] ${value ? "" : "text-quiet"}`}
      >
        {value.toLocaleString("en")}
      </dd>
    </div>
  );
}
