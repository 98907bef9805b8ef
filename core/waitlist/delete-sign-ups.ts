import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { retryTransient } from "#core/database/transaction.ts";

export interface DeletedSignUps {
  signUps: number;
  consents: number;
}

/** High, because sign-ups keep locking the same companies, and a deletion must not fail. */
const MAX_ATTEMPTS = 100;

/** Runs a transaction that deletes people, again after each deadlock. */
export function deletePeople<Result>(
  db: Database,
  work: (transaction: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return retryTransient(() => db.transaction().execute(work), MAX_ATTEMPTS);
}

/**
 * Deletes these sign-ups with everything stored about them, in the caller's transaction. Totals and company counts stay
 * exact while others join: companies are locked before they are counted, in the order in which sign-ups lock them.
 */
export async function deleteSignUps(transaction: Kysely<Tables>, ids: string[]): Promise<DeletedSignUps> {
  const { rows: gone } = await sql<{ company_key: string | null }>`
    delete from sign_ups where id = any(${ids}::bigint[]) returning company_key`.execute(transaction);
  if (gone.length === 0) return { signUps: 0, consents: 0 };
  const { numAffectedRows: consents = 0n } = await sql`
    delete from consents where sign_up_id = any(${ids}::bigint[])`.execute(transaction);
  await uncount(
    transaction,
    gone.map(({ company_key }) => company_key),
  );
  return { signUps: gone.length, consents: Number(consents) };
}

/** Takes deleted people, each given by the key of their company, out of the totals and company counts. */
export async function uncount(transaction: Kysely<Tables>, companyKeys: (string | null)[]): Promise<void> {
  const companies = await leaveCompanies(
    transaction,
    companyKeys.filter((key) => key !== null),
  );
  await sql`
    update totals set users = users - ${companyKeys.length}, companies = companies - ${companies}
    where slot = totals_slot()`.execute(transaction);
}

/** Takes one key per person who leaves, and returns how many companies lost their last member. */
async function leaveCompanies(transaction: Kysely<Tables>, keys: string[]): Promise<number> {
  if (keys.length === 0) return 0;
  await sql`select from companies where key = any(${keys}) order by key for update`.execute(transaction);
  const leaving = sql`(select key, count(*)::integer as people from unnest(${keys}::text[]) as key group by 1) as leaving`;
  const { numAffectedRows: emptied = 0n } = await sql`
    delete from companies using ${leaving}
    where companies.key = leaving.key and sign_ups = people`.execute(transaction);
  await sql`
    update companies set sign_ups = sign_ups - people from ${leaving}
    where companies.key = leaving.key`.execute(transaction);
  return Number(emptied);
}
