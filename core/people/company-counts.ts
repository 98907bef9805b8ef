import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";

/** Counts a person in, and returns whether they are the company's first. */
export async function joinCompany(transaction: Kysely<Tables>, key: string): Promise<boolean> {
  const { rows } = await sql<{ sign_ups: number }>`
    insert into companies as company (key, sign_ups) values (${key}, 1)
    on conflict (key) do update set sign_ups = company.sign_ups + 1
    returning sign_ups`.execute(transaction);
  return rows[0]?.sign_ups === 1;
}

/** Takes one key per person who leaves, and returns how many companies lost their last member. */
export async function leaveCompanies(transaction: Kysely<Tables>, keys: string[]): Promise<number> {
  if (keys.length === 0) return 0;
  await sql`select from companies where key = any(${keys}) order by key collate "C" for update`.execute(transaction);
  const leaving = sql`(select key, count(*)::integer as people from unnest(${keys}::text[]) as key group by 1) as leaving`;
  const { numAffectedRows: emptied = 0n } = await sql`
    delete from companies using ${leaving}
    where companies.key = leaving.key and sign_ups = people`.execute(transaction);
  await sql`
    update companies set sign_ups = sign_ups - people from ${leaving}
    where companies.key = leaving.key`.execute(transaction);
  return Number(emptied);
}
