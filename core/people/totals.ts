import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql } from "kysely";
import type { Stats } from "#contract/stats.ts";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import type { Executor } from "#core/database/transaction.ts";
import { isListed } from "./states.ts";

export type Totals = Stats["data"];

export async function readTotals(db: Executor): Promise<Totals> {
  const text = `
    select sum(users)::integer as "totalUsers", sum(companies)::integer as "companiesInterested" from totals`;
  return onlyRow(await db.query<Totals>({ text }));
}

/** Compares the stored totals with a full count. One statement is one snapshot, so it may run while people join. */
export async function verifyTotals(db: Kysely<Tables>) {
  const compared = await sql<{ kept: Totals; counted: Totals; wrongCompanies: number }>`
    with counted as (select company_key as key, count(*) as sign_ups from sign_ups where ${isListed} group by 1)
    select
      (
        select json_build_object('totalUsers', sum(users), 'companiesInterested', sum(companies)) from totals
      ) as kept,
      (
        select json_build_object('totalUsers', coalesce(sum(sign_ups), 0), 'companiesInterested', count(key))
        from counted
      ) as counted,
      (
        select count(*)::integer from companies
        full join (select key, sign_ups from counted where key is not null) as listed using (key)
        where companies.sign_ups is distinct from listed.sign_ups
      ) as "wrongCompanies"`.execute(db);
  const check = onlyRow(compared);
  return { ...check, exact: check.wrongCompanies === 0 && isDeepStrictEqual(check.kept, check.counted) };
}
