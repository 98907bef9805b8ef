import { sql } from "kysely";
import type { Chunk } from "#core/database/transaction.ts";

interface Employed {
  company_key: string | null;
}

const employersOf = (people: Employed[]) => people.flatMap(({ company_key }) => company_key ?? []);

/** Call it after locking the people: like sign-ups, it locks companies, then totals. */
export async function addToTotals(chunk: Chunk, people: Employed[]): Promise<void> {
  const companies = await joinCompanies(chunk, employersOf(people));
  await sql`
    update totals set users = users + ${people.length}, companies = companies + ${companies}
    where slot = totals_slot()`.execute(chunk);
}

/** Call it after locking or deleting the people. Totals stay exact while others join. */
export async function subtractFromTotals(chunk: Chunk, people: Employed[]): Promise<void> {
  const companies = await leaveCompanies(chunk, employersOf(people));
  await sql`
    update totals set users = users - ${people.length}, companies = companies - ${companies}
    where slot = totals_slot()`.execute(chunk);
}

/** Takes one key per person who joins, and returns how many companies got their first member. */
export async function joinCompanies(chunk: Chunk, keys: string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const { rows } = await sql`
    with joining as (select key, count(*)::integer as people from unnest(${keys}::text[]) as key group by 1),
    counted as (
      insert into companies as company (key, sign_ups) select key, people from joining order by key collate "C"
      on conflict (key) do update set sign_ups = company.sign_ups + excluded.sign_ups
      returning key, sign_ups
    )
    select from counted join joining using (key) where sign_ups = people`.execute(chunk);
  return rows.length;
}

/** Takes one key per person who leaves, and returns how many companies lost their last member. */
export async function leaveCompanies(chunk: Chunk, keys: string[]): Promise<number> {
  if (keys.length === 0) return 0;
  await sql`select from companies where key = any(${keys}) order by key collate "C" for update`.execute(chunk);
  const leaving = sql`(select key, count(*)::integer as people from unnest(${keys}::text[]) as key group by 1) as leaving`;
  const { numAffectedRows: emptied = 0n } = await sql`
    delete from companies using ${leaving}
    where companies.key = any(${keys}) and companies.key = leaving.key and sign_ups = people`.execute(chunk);
  await sql`
    update companies set sign_ups = sign_ups - people from ${leaving}
    where companies.key = any(${keys}) and companies.key = leaving.key`.execute(chunk);
  return Number(emptied);
}
