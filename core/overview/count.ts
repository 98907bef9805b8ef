import { type Kysely, type RawBuilder, sql } from "kysely";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import { domainOf } from "#core/people/address.ts";
import { countIn } from "#core/people/states.ts";
import { intervalOf, joinedIn, RANGES, type Range, startOf } from "./ranges.ts";

export type Funnel = Record<"joined" | "confirmed" | "invited", number>;

export interface Source extends Funnel, Record<"source" | "medium" | "campaign", string | null> {}

export interface Ranked {
  name: string;
  people: number;
}

/** Waiting are those who confirmed and can be invited. */
export type StateCounts = Record<"confirmed" | "invited" | "newsletter" | "rejected" | "waiting", number>;

/** Counts of people who joined in a range, as PostgreSQL returns them in JSON, so that they can be stored. */
export interface RangeCounts {
  funnel: Funnel;
  intervalMs: number;
  /** `from` is an ISO timestamp; `before` counts the same interval of the previous period, and is 0 for all time. */
  intervals: { from: string; joined: number; before: number }[];
  /** The largest sources. People without a campaign have three nulls. */
  sources: Source[];
  /** The sum of the sources that aren't listed. */
  otherSources: Funnel;
  companies: Ranked[];
  domains: Ranked[];
}

const MAX_RANKED = 10;

/** Columns of a query on sign_ups. */
const STATE_COUNTS: RawBuilder<unknown> = sql`
  ${countIn("confirmed")} as confirmed, ${countIn("invited")} as invited, ${countIn("suppressed")} as rejected,
  ${countIn("waiting")} as waiting, count(*) filter (where newsletter)::integer as newsletter`;

export async function countStates(db: Kysely<Tables>): Promise<StateCounts> {
  return onlyRow(await sql<StateCounts>`select ${STATE_COUNTS} from sign_ups`.execute(db));
}

const FUNNEL_SUMS = sql`
  coalesce(sum(joined), 0)::integer as joined, coalesce(sum(confirmed), 0)::integer as confirmed,
  coalesce(sum(invited), 0)::integer as invited`;

/** Uses one statement, and so one snapshot. Names that fewer than `minPeople` share are left out. */
export async function countRange(db: Kysely<Tables>, range: Range, minPeople: number): Promise<RangeCounts> {
  const { intervals, intervalMs } = RANGES[range];
  const current = intervalOf(range, sql`now()`);
  const step = sql`make_interval(secs => ${intervalMs / 1000})`;
  const period = sql`${intervals} * ${step}`;
  const isBefore = sql`joined_at >= ${startOf(range)} - ${period} and joined_at < now() - ${period}`;
  const rows = (query: RawBuilder<unknown>) => sql`(select coalesce(json_agg(rows), '[]') from (${query}) as rows)`;
  const counts = onlyRow(
    await sql<Omit<RangeCounts, "intervalMs" | "otherSources">>`
    with campaigns as materialized (
      select utm, count(*) as joined, ${countIn("confirmed")} as confirmed, ${countIn("invited")} as invited
      from sign_ups where ${joinedIn(range)} group by 1
    ), times as materialized (
      -- If a clock ran fast, someone may have joined in the future; they count in the current interval.
      select least(${intervalOf(range, sql`joined_at`)}, ${current}) as "from", count(*)::integer as joined
      from sign_ups where ${joinedIn(range)} group by 1
    ), times_before as materialized (
      -- Counts up to the same time, so that a partial day is compared with an equal part of another.
      select ${intervalOf(range, sql`joined_at`)} + ${period} as "from", count(*)::integer as before
      from sign_ups where ${range === "all" ? sql`false` : isBefore} group by 1
    )
    select
      (select to_json(funnel) from (select ${FUNNEL_SUMS} from campaigns) as funnel) as funnel,
      ${rows(sql`
        select "from", coalesce(joined, 0) as joined, coalesce(before, 0) as before
        from generate_series(least(${startOf(range)}, (select min("from") from times)), ${current}, ${step}) as "from"
        left join times using ("from") left join times_before using ("from") order by 1`)} as intervals,
      ${rows(sql`
        select utm ->> 'source' as source, utm ->> 'medium' as medium, utm ->> 'campaign' as campaign, ${FUNNEL_SUMS}
        from campaigns group by 1, 2, 3 having sum(joined) >= ${minPeople}
        order by sum(joined) desc, 1, 2, 3 limit ${MAX_RANKED}`)} as sources,
      ${rows(sql`
        select (array_agg(company order by people desc, company))[1] as name, sum(people)::integer as people
        from (
          select company_key, company, count(*) as people from sign_ups
          where ${joinedIn(range)} and company_key is not null group by 1, 2
        ) as spellings
        group by company_key having sum(people) >= ${minPeople}
        order by sum(people) desc, company_key limit ${MAX_RANKED}`)} as companies,
      ${rows(sql`
        select ${domainOf()} as name, count(*)::integer as people
        from sign_ups where ${joinedIn(range)} group by 1 having count(*) >= ${minPeople}
        order by 2 desc, 1 limit ${MAX_RANKED}`)} as domains`.execute(db),
  );
  const { funnel, sources } = counts;
  const other = (of: keyof Funnel) => funnel[of] - sources.reduce((sum, source) => sum + source[of], 0);
  return {
    ...counts,
    intervalMs,
    otherSources: { joined: other("joined"), confirmed: other("confirmed"), invited: other("invited") },
  };
}

/** Counts of people on the list by status, in quarantine, and erased. */
interface Counts extends StateCounts {
  /** Joined in the last 24 hours. */
  lastDay: number;
  lastWeek: number;
  /** Once subscribed to news, but no longer. */
  unsubscribed: number;
  quarantined: number;
  erased: number;
  /** Page views in the same week as `lastWeek`; at least this many if a cache responded to some visitors itself. */
  views: number;
  hasCachedViews: boolean;
}

export async function readCounts(db: Kysely<Tables>): Promise<Counts> {
  const counted = await sql<Counts>`
    select
      count(*) filter (where ${joinedIn("24h")})::integer as "lastDay",
      count(*) filter (where ${joinedIn("7d")})::integer as "lastWeek",
      ${STATE_COUNTS},
      (
        select count(distinct sign_up_id) from consents join sign_ups on id = sign_up_id where not newsletter
      )::integer as unsubscribed,
      (select count(*) from quarantine)::integer as quarantined,
      (select count(*) from erasures)::integer as erased,
      (select coalesce(sum(views), 0) from page_views where hour >= ${startOf("7d")})::integer as views,
      exists (select from page_views where hour >= ${startOf("7d")} and is_partial) as "hasCachedViews"
    from sign_ups`.execute(db);
  return onlyRow(counted);
}
