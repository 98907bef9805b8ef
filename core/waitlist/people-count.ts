import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { type Filter, matches } from "./filter.ts";
import { findByIndex } from "./search.ts";
import { readTotals } from "./totals.ts";

export interface PeopleCount {
  people: number;
  /** Whether it comes from PostgreSQL's statistics, because an exact count of a filtered list reads all of it. */
  isEstimate: boolean;
  /** Whether it is only known that there are fewer. */
  isMaximum?: boolean;
}

/** Statistics are from a sample, which may have missed everyone in a group as small as this. */
const SMALLEST_ESTIMATE = 1000;

export async function countPeople(db: Database, filter: Filter): Promise<PeopleCount> {
  const filters = Object.values(filter).filter((value) => value !== undefined).length;
  if (filters === 0) return { people: (await readTotals(db.pool)).totalUsers, isEstimate: false };
  const found = await countCandidates(db, filter);
  if (found !== undefined && filters === 1) return { people: found, isEstimate: true };
  const people = Math.min((await planMatching(db, filter)).rows, found ?? Number.POSITIVE_INFINITY);
  return people < SMALLEST_ESTIMATE
    ? { people: SMALLEST_ESTIMATE, isEstimate: true, isMaximum: true }
    : { people, isEstimate: true };
}

/** How many people an index finds. Statistics estimate prefixes of one letter well, but not of a dozen. */
async function countCandidates(db: Database, filter: Filter): Promise<number | undefined> {
  if (!filter.unsubscribed) return (await findByIndex(db, filter))?.ids.length;
  const { rows } = await sql<{ people: number }>`
    select count(distinct sign_up_id)::integer as people from consents where not given`.execute(db);
  return rows[0]?.people;
}

/** What PostgreSQL expects of reading the rows of everyone who matches: how many, and in its own units how much work. */
export async function planMatching(db: Database, filter: Filter): Promise<{ rows: number; cost: number }> {
  const { rows } = await sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number; "Total Cost": number } }] }>`
    explain (format json) select confirmed_at, newsletter from sign_ups where ${matches(filter)}`.execute(db);
  const plan = rows[0]?.["QUERY PLAN"][0].Plan;
  return { rows: plan?.["Plan Rows"] ?? 0, cost: plan?.["Total Cost"] ?? 0 };
}
