import { sql, type Transaction } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { type Counts, readCounts } from "./counts.ts";

/** Everything in the report, and nothing about any one person. */
export interface ReportNumbers extends Counts, Summary {
  /** The last 72, up to the current hour, including hours without sign-ups. */
  hours: { from: Date; signUps: number }[];
  /** Since the first event, and at least two weeks. */
  days: Day[];
  topCompanies: Ranked[];
  topDomains: Ranked[];
  topSources: Source[];
}

interface Summary {
  madeAt: Date;
  signUps: number;
  companies: number;
  withoutSource: number;
}

export interface Day {
  from: Date;
  signUps: number;
  invited: number;
  /** Only what is still in quarantine, because released and deleted entries leave no trace. */
  caught: number;
}

export interface Ranked {
  name: string;
  signUps: number;
}

export interface Source extends Record<"source" | "medium" | "campaign", string | null> {
  signUps: number;
}

type Snapshot = Transaction<Tables>;

export async function readNumbers(db: Database): Promise<ReportNumbers> {
  // One snapshot, so that the numbers agree while people keep joining.
  const transaction = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return transaction.execute(async (snapshot) => ({
    ...(await readSummary(snapshot)),
    ...(await readCounts(snapshot)),
    hours: await countHours(snapshot),
    days: await countDays(snapshot),
    topCompanies: await rankCompanies(snapshot),
    topDomains: await rankDomains(snapshot),
    topSources: await rankSources(snapshot),
  }));
}

async function readSummary(snapshot: Snapshot): Promise<Summary> {
  const { rows } = await sql<Summary>`
    select
      now() as "madeAt",
      count(*)::integer as "signUps",
      (select count(*) from companies)::integer as companies,
      count(*) filter (
        where coalesce(utm ->> 'source', utm ->> 'medium', utm ->> 'campaign') is null
      )::integer as "withoutSource"
    from sign_ups`.execute(snapshot);
  const [summary] = rows;
  if (!summary) throw new Error("The count returned no row");
  return summary;
}

async function countHours(snapshot: Snapshot): Promise<ReportNumbers["hours"]> {
  const { rows } = await sql<ReportNumbers["hours"][number]>`
    with joined as (
      select date_trunc('hour', joined_at, 'UTC') as hour, count(*) as sign_ups
      from sign_ups where joined_at > now() - interval '72 hours' group by 1
    )
    select hour as "from", coalesce(sign_ups, 0)::integer as "signUps"
    from generate_series(
      date_trunc('hour', now(), 'UTC') - interval '71 hours', now(), interval '1 hour'
    ) as hour left join joined using (hour)
    order by hour`.execute(snapshot);
  return rows;
}

async function countDays(snapshot: Snapshot): Promise<Day[]> {
  // Days are 24 hours, which "1 day" isn't when daylight saving time starts or ends in the session's time zone.
  // Up to the last event, because a clock that ran ahead may have dated one tomorrow, and the days must add up.
  const { rows } = await sql<Day>`
    with events as (
      select date_trunc('day', joined_at, 'UTC') as day, count(*) as sign_ups, 0 as invited, 0 as caught
      from sign_ups group by 1
      union all
      select date_trunc('day', invited_at, 'UTC'), 0, count(*), 0 from sign_ups where invited_at is not null group by 1
      union all
      select date_trunc('day', caught_at, 'UTC'), 0, 0, count(*) from quarantine group by 1
    ), span as (
      select
        least(min(day), date_trunc('day', now(), 'UTC') - 13 * interval '24 hours') as first,
        greatest(max(day), date_trunc('day', now(), 'UTC')) as last
      from events
    )
    select
      day as "from",
      coalesce(sum(sign_ups), 0)::integer as "signUps",
      coalesce(sum(invited), 0)::integer as invited,
      coalesce(sum(caught), 0)::integer as caught
    from span, generate_series(first, last, interval '24 hours') as day left join events using (day)
    group by day order by day`.execute(snapshot);
  return rows;
}

async function rankCompanies(snapshot: Snapshot): Promise<Ranked[]> {
  // Named by its most common spelling, because the key has no capitals and no legal form.
  const { rows } = await sql<Ranked>`
    with top as (select key, sign_ups from companies order by sign_ups desc, key limit 10)
    select mode() within group (order by company) as name, top.sign_ups as "signUps"
    from top join sign_ups on company_key = top.key
    group by top.key, top.sign_ups order by top.sign_ups desc, top.key`.execute(snapshot);
  return rows;
}

async function rankDomains(snapshot: Snapshot): Promise<Ranked[]> {
  const { rows } = await sql<Ranked>`
    select split_part(email_key, '@', -1) as name, count(*)::integer as "signUps"
    from sign_ups group by 1 order by 2 desc, 1 limit 10`.execute(snapshot);
  return rows;
}

async function rankSources(snapshot: Snapshot): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select source, medium, campaign, count(*)::integer as "signUps"
    from sign_ups, jsonb_to_record(utm) as named (source text, medium text, campaign text)
    where coalesce(source, medium, campaign) is not null
    group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit 10`.execute(snapshot);
  return rows;
}
