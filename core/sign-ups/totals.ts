import { type Kysely, sql } from "kysely";
import type { Stats } from "#contract/stats.ts";
import type { Tables } from "#core/database/tables.ts";
import type { Executor } from "#core/database/transaction.ts";

export type Totals = Stats["data"];

export async function readTotals(db: Executor): Promise<Totals> {
  const { rows } = await db.query<{ users: string; companies: string }>(
    "select sum(users) as users, sum(companies) as companies from totals",
  );
  return { totalUsers: Number(rows[0]?.users), companiesInterested: Number(rows[0]?.companies) };
}

export interface TotalsCheck {
  kept: Totals;
  counted: Totals;
  wrongCompanies: number;
  exact: boolean;
}

/** Compares the stored totals with a full count. One statement is one snapshot, so it may run while people join. */
export async function verifyTotals(db: Kysely<Tables>): Promise<TotalsCheck> {
  const { rows } = await sql<Record<"users" | "companies" | "countedUsers" | "countedCompanies" | "wrong", string>>`
    with counted as (select company_key as key, count(*) as sign_ups from sign_ups group by 1)
    select
      (select sum(users) from totals) as users,
      (select sum(companies) from totals) as companies,
      (select coalesce(sum(sign_ups), 0) from counted) as "countedUsers",
      (select count(*) from counted where key is not null) as "countedCompanies",
      (
        select count(*) from companies
        full join (select key, sign_ups from counted where key is not null) as listed using (key)
        where companies.sign_ups is distinct from listed.sign_ups
      ) as wrong`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("The count returned no row");
  const kept = { totalUsers: Number(row.users), companiesInterested: Number(row.companies) };
  const counted = { totalUsers: Number(row.countedUsers), companiesInterested: Number(row.countedCompanies) };
  const wrongCompanies = Number(row.wrong);
  const exact =
    wrongCompanies === 0 &&
    kept.totalUsers === counted.totalUsers &&
    kept.companiesInterested === counted.companiesInterested;
  return { kept, counted, wrongCompanies, exact };
}
