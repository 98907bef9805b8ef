import { type Kysely, type RawBuilder, sql } from "kysely";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import { domainOf } from "#core/people/address.ts";
import { countIn, isListed } from "#core/people/states.ts";
import { FUNNEL_COLUMNS, FUNNEL_SUMS, funnelRows, peopleSteps, viewSteps } from "./funnel.ts";
import { type Funnel, STEPS } from "./funnel-steps.ts";
import { intervalOf, joinedIn, RANGES, type Range, startOf } from "./ranges.ts";

export interface Ranked {
  name: string;
  people: number;
}

/** `waiting` counts people who confirmed and can be invited. */
export type StateCounts = Record<"confirmed" | "invited" | "newsletter" | "suppressed" | "waiting", number>;

/** Counts of people who joined in a range, as PostgreSQL returns them in JSON, so that they can be stored. */
export interface RangeCounts {
  funnel: Funnel;
  /** The funnel of the previous period, up to the same time in it. Null for "all". */
  before: Funnel | null;
  intervalMs: number;
  /** `from` is an ISO timestamp; `before` counts the same interval of the previous period, and is 0 for "all". */
  intervals: { from: string; joined: number; before: number }[];
  /** The ten largest sources by each step. Views and people without a campaign have three nulls. */
  sources: (Funnel & Record<"source" | "medium" | "campaign", string | null>)[];
  /** The sum of the sources that aren't listed, and of views whose campaign wasn't stored. */
  otherSources: Funnel;
  companies: Ranked[];
  domains: Ranked[];
}

const MAX_RANKED = 10;

/** Columns of a query on sign_ups. */
const STATE_COUNTS: RawBuilder<unknown> = sql`
  ${countIn("confirmed")} as confirmed, ${countIn("invited")} as invited, ${countIn("suppressed")} as suppressed,
  ${countIn("waiting")} as waiting, count(*) filter (where newsletter)::integer as newsletter`;

export async function countStates(db: Kysely<Tables>): Promise<StateCounts> {
  return onlyRow(await sql<StateCounts>`select ${STATE_COUNTS} from sign_ups where ${isListed}`.execute(db));
}

/** Uses one statement, and so one snapshot. Names that fewer than `minPeople` share are left out. */
export async function countRange(db: Kysely<Tables>, range: Range, minPeople: number): Promise<RangeCounts> {
  const { intervals, intervalMs } = RANGES[range];
  const current = intervalOf(range, sql`now()`);
  const step = sql`make_interval(secs => ${intervalMs / 1000})`;
  const period = sql`${intervals} * ${step}`;
  const isBefore = sql`${isListed} and joined_at >= ${startOf(range)} - ${period} and joined_at < now() - ${period}`;
  const isNamed = sql`not is_other and (joined = 0 or joined >= ${minPeople})`;
  const ranks = STEPS.map(
    (step) => sql`
      row_number() over (
        partition by ${isNamed} order by ${sql.ref(step)} desc, joined desc, views desc, source, medium, campaign
      )`,
  );
  // Counts a partly elapsed hour in proportion.
  const views = sql`views * least(1, extract(epoch from now() - ${period} - hour)::real / 3600)`;
  const before = sql`
    select ${FUNNEL_SUMS} from (
      select ${FUNNEL_COLUMNS} from times_before
      union all
      select ${viewSteps(views)} from page_views where hour >= ${startOf(range)} - ${period} and hour < now() - ${period}
    ) as steps`;
  const row = (query: RawBuilder<unknown>) => sql`(select to_json(row) from (${query}) as row)`;
  const rows = (query: RawBuilder<unknown>) => sql`(select coalesce(json_agg(rows), '[]') from (${query}) as rows)`;
  const counts = onlyRow(
    await sql<Omit<RangeCounts, "intervalMs">>`
    with campaigns as materialized (
      select source, medium, campaign, is_other, ${FUNNEL_SUMS} from (${funnelRows(range)}) as steps group by 1, 2, 3, 4
    ), ranked as materialized (
      select source, medium, campaign, ${FUNNEL_COLUMNS},
        ${isNamed} and least(${sql.join(ranks)}) <= ${MAX_RANKED} as is_listed
      from campaigns
    ), times as materialized (
      -- If a clock ran fast, someone may have joined in the future; they count in the current interval.
      select least(${intervalOf(range, sql`joined_at`)}, ${current}) as "from", count(*)::integer as joined
      from sign_ups where ${joinedIn(range)} group by 1
    ), times_before as materialized (
      -- Counts up to the same time, so that a partial day is compared with an equal part of another. What happened since
      -- doesn't count, because people of the previous period had more time to confirm.
      select ${intervalOf(range, sql`joined_at`)} + ${period} as "from", ${peopleSteps(sql`now() - ${period}`)}
      from sign_ups where ${range === "all" ? sql`false` : isBefore} group by 1
    )
    select
      ${row(sql`select ${FUNNEL_SUMS} from campaigns`)} as funnel,
      ${range === "all" ? sql`null` : row(before)} as before,
      ${rows(sql`
        select "from", coalesce(times.joined, 0) as joined, coalesce(times_before.joined, 0) as before
        from generate_series(least(${startOf(range)}, (select min("from") from times)), ${current}, ${step}) as "from"
        left join times using ("from") left join times_before using ("from") order by 1`)} as intervals,
      ${rows(sql`
        select source, medium, campaign, ${FUNNEL_COLUMNS}
        from ranked where is_listed order by joined desc, views desc, 1, 2, 3`)} as sources,
      ${row(sql`select ${FUNNEL_SUMS} from ranked where not is_listed`)} as "otherSources",
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
  return { ...counts, intervalMs };
}

/** Counts of people on the list by status, in quarantine, and erased. */
interface Counts extends StateCounts {
  /** Joined in the last 24 hours. */
  lastDay: number;
  /** Once subscribed to news, but no longer. */
  unsubscribed: number;
  quarantined: number;
  erased: number;
}

export async function readCounts(db: Kysely<Tables>): Promise<Counts> {
  const counted = await sql<Counts>`
    select
      count(*) filter (where ${joinedIn("24h")})::integer as "lastDay",
      ${STATE_COUNTS},
      (
        select count(distinct sign_up_id) from consents join sign_ups on id = sign_up_id where not newsletter and ${isListed}
      )::integer as unsubscribed,
      (select count(*) from quarantine)::integer as quarantined,
      (select count(*) from erasures)::integer as erased
    from sign_ups where ${isListed}`.execute(db);
  return onlyRow(counted);
}
