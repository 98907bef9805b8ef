import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { withinTime } from "#core/database/transaction.ts";
import { countMatching, type Filter, matches } from "./filter.ts";
import { readTotals } from "./totals.ts";

export interface PeopleCount {
  people: number;
  /** Whether the number comes from PostgreSQL's statistics, because counting takes too long. */
  isEstimate: boolean;
}

/** Counting a million people's answers takes a second; estimates for answers alone are off by only a few percent. */
const MAX_ANSWERS_MS = 250;

export async function countPeople(db: Database, filter: Filter, maxMs?: number): Promise<PeopleCount> {
  const { answer, ...others } = filter;
  const isAlone = Object.values(others).every((value) => value === undefined);
  if (isAlone && answer === undefined) return { people: (await readTotals(db.pool)).totalUsers, isEstimate: false };
  const timeoutMs = maxMs ?? (isAlone ? MAX_ANSWERS_MS : undefined);
  const people = await withinTime(db, (transaction) => countMatching(transaction, filter), timeoutMs);
  return { people: people ?? (await estimateMatching(db, filter)), isEstimate: people === undefined };
}

export async function estimateMatching(db: Database, filter: Filter): Promise<number> {
  const { rows } = await sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>`
    explain (format json) select from sign_ups where ${matches(filter)}`.execute(db);
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}
