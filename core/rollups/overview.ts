import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { byTime, pendingPeople, TIME_COLUMNS } from "./pending.ts";
import { type Ranked, rankCompanies, rankDomains } from "./rankings.ts";
import { readPosition } from "./roll-up.ts";

export type Range = "24h" | "7d" | "30d" | "all";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How many intervals of which length, up to the current one; `all` begins with the first sign-up. */
const RANGES: Record<Range, { intervals?: number; intervalMs: number }> = {
  "24h": { intervals: 24, intervalMs: HOUR_MS },
  "7d": { intervals: 28, intervalMs: 6 * HOUR_MS },
  "30d": { intervals: 30, intervalMs: DAY_MS },
  all: { intervalMs: DAY_MS },
};

/** Reading more people than this from the list takes too long for a screen that asks every few seconds. */
const MAX_LIVE = 5000;
const MAX_SOURCES = 10;

interface Funnel {
  joined: number;
  confirmed: number;
  invited: number;
}

interface SourceFunnel extends Funnel, Record<"source" | "medium" | "campaign", string | null> {}

export interface Overview {
  madeAt: Date;
  /** People who aren't in the numbers below yet, because the rollups are too far behind. Else they are exact. */
  uncounted: number;
  people: number;
  companies: number;
  confirmed: number;
  invited: number;
  newsletter: number;
  rejected: number;
  quarantined: number;
  /** Counts people who joined in the range. */
  funnel: Funnel;
  intervalMs: number;
  intervals: { from: Date; joined: number }[];
  /** The largest, of people who joined in the range; all nulls for people whom no campaign brought. */
  sources: SourceFunnel[];
  /** The sum of the sources that aren't listed. */
  otherSources: Funnel;
  topCompanies: Ranked[];
  topDomains: Ranked[];
}

type Snapshot = Transaction<Tables>;

/** Everything from one snapshot: rollups plus what they don't have yet, so the numbers are as of now, and agree. */
export function readOverview(db: Database, range: Range): Promise<Overview> {
  const transaction = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return transaction.execute(async (snapshot) => {
    const { from, newest } = (await readPosition(snapshot)) ?? { from: "0", newest: "0" };
    const isLive = BigInt(newest) - BigInt(from) <= MAX_LIVE;
    const pending = pendingPeople(from, isLive);
    const { counted, ...allTime } = await readAllTime(snapshot, pending);
    return {
      ...allTime,
      uncounted: isLive ? 0 : allTime.people - counted,
      ...(await readRange(snapshot, pending, range, allTime.madeAt)),
      topCompanies: await rankCompanies(snapshot, pending),
      topDomains: await rankDomains(snapshot, pending),
    };
  });
}

interface AllTime extends Pick<Overview, "madeAt" | "people" | "companies" | "quarantined"> {
  counted: number;
  confirmed: number;
  invited: number;
  newsletter: number;
  rejected: number;
}

async function readAllTime(snapshot: Snapshot, pending: RawBuilder<unknown>): Promise<AllTime> {
  const { rows } = await sql<AllTime>`
    select
      now() as "madeAt",
      (select sum(users) from totals)::integer as people,
      (select sum(companies) from totals)::integer as companies,
      (select count(*) from quarantine)::integer as quarantined,
      coalesce(sum(joined), 0)::integer as counted,
      coalesce(sum(confirmed), 0)::integer as confirmed,
      coalesce(sum(invited), 0)::integer as invited,
      coalesce(sum(newsletter), 0)::integer as newsletter,
      coalesce(sum(rejected), 0)::integer as rejected
    from (select ${TIME_COLUMNS} from sign_ups_by_time where span = 'day' union all ${byTime(pending)}) as times
    where span = 'day'`.execute(snapshot);
  const [allTime] = rows;
  if (!allTime) throw new Error("The count returned no row");
  return allTime;
}

/** All time shows at least two weeks. */
const MIN_INTERVALS = 14;

async function readRange(
  snapshot: Snapshot,
  pending: RawBuilder<unknown>,
  range: Range,
  now: Date,
): Promise<Pick<Overview, "funnel" | "intervalMs" | "intervals" | "sources" | "otherSources">> {
  const { intervals = MIN_INTERVALS, intervalMs } = RANGES[range];
  const current = Math.floor(now.getTime() / intervalMs) * intervalMs;
  const start = current - (intervals - 1) * intervalMs;
  const span = intervalMs < DAY_MS ? "hour" : "day";
  const since = range === "all" ? sql`` : sql`and starts_at >= ${new Date(start)}`;
  const times = sql`(
    select ${TIME_COLUMNS} from sign_ups_by_time where span = ${span} ${since}
    union all select ${TIME_COLUMNS} from (${byTime(pending)}) as pending where span = ${span} ${since}
  ) as times`;
  const funnel = sql`
    sum(joined)::integer as joined, sum(confirmed)::integer as confirmed, sum(invited)::integer as invited`;
  // A clock that ran ahead may have dated someone later than now.
  const joined = await sql<Funnel & { from: Date }>`
    select
      least(date_bin(make_interval(secs => ${intervalMs / 1000}), starts_at, 'epoch'), ${new Date(current)}) as from, ${funnel}
    from ${times} group by 1 order by 1`.execute(snapshot);
  const sources = await sql<SourceFunnel>`
    select source, medium, campaign, ${funnel} from ${times}
    group by 1, 2, 3 having sum(joined) > 0
    order by sum(joined) desc, 1, 2, 3 limit ${MAX_SOURCES}`.execute(snapshot);
  const sum = (rows: Funnel[], of: keyof Funnel) => rows.reduce((total, row) => total + row[of], 0);
  const total = (of: keyof Funnel) => sum(joined.rows, of);
  const other = (of: keyof Funnel) => total(of) - sum(sources.rows, of);
  return {
    funnel: { joined: total("joined"), confirmed: total("confirmed"), invited: total("invited") },
    intervalMs,
    intervals: withGaps(joined.rows, Math.min(start, joined.rows[0]?.from.getTime() ?? start), current, intervalMs),
    sources: sources.rows,
    otherSources: { joined: other("joined"), confirmed: other("confirmed"), invited: other("invited") },
  };
}

/** One entry per interval, also for those in which nobody joined. */
function withGaps(rows: { from: Date; joined: number }[], first: number, last: number, intervalMs: number) {
  const joined = new Map(rows.map((row) => [row.from.getTime(), row.joined]));
  return Array.from({ length: (last - first) / intervalMs + 1 }, (_, index) => {
    const from = first + index * intervalMs;
    return { from: new Date(from), joined: joined.get(from) ?? 0 };
  });
}
