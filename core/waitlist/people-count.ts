import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { type Filter, matches } from "./filter.ts";
import { findByIndex } from "./search.ts";
import { readTotals } from "./totals.ts";

export interface PeopleCount {
  people: number;
  /** Whether it comes from PostgreSQL's statistics, because an exact count of a filtered list reads all of it. */
  isEstimate: boolean;
}

export async function countPeople(db: Database, filter: Filter): Promise<PeopleCount> {
  const filters = Object.values(filter).filter((value) => value !== undefined).length;
  if (filters === 0) return { people: (await readTotals(db.pool)).totalUsers, isEstimate: false };
  // Statistics know how many names begin with a letter, but not with a dozen.
  const found = (await findByIndex(db, filter))?.ids.length;
  if (found !== undefined && filters === 1) return { people: found, isEstimate: true };
  const estimate = await estimateMatching(db, filter);
  return { people: Math.min(estimate, found ?? estimate), isEstimate: true };
}

async function estimateMatching(db: Database, filter: Filter): Promise<number> {
  const { rows } = await sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>`
    explain (format json) select from sign_ups where ${matches(filter)}`.execute(db);
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}
