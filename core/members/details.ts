import { type Kysely, sql } from "kysely";
import type { Details } from "#contract/member.ts";
import { VISIBLE } from "#contract/sign-up.ts";
import type { Database } from "#core/database/connect.ts";
import { makeDurable } from "#core/database/durability.ts";
import type { Tables } from "#core/database/tables.ts";
import { retryTransient } from "#core/database/transaction.ts";
import { joinCompany, leaveCompany } from "#core/waitlist/company-counts.ts";
import { companyKey } from "#core/waitlist/company-key.ts";

/** High, because sign-ups keep locking the same companies. */
const MAX_ATTEMPTS = 100;

/**
 * Corrects a member's name and company, and moves them from one company's count to the other's. Only once they have
 * confirmed, because until then their page shows nothing that was typed into the form.
 */
export async function changeDetails(
  db: Database,
  id: string,
  { firstName, lastName, company }: Details,
): Promise<void> {
  const change = {
    first_name: firstName,
    last_name: lastName,
    company: VISIBLE.test(company) ? company : null,
    company_key: companyKey(company) ?? null,
  };
  await retryTransient(
    () =>
      db.transaction().execute(async (transaction) => {
        // Locked, so that the company which is left is the one that this row is counted in.
        const before = await transaction
          .selectFrom("sign_ups")
          .select("company_key")
          .where("id", "=", id)
          .where("confirmed_at", "is not", null)
          .forUpdate()
          .executeTakeFirst();
        if (!before) return makeDurable(transaction);
        await transaction.updateTable("sign_ups").set(change).where("id", "=", id).execute();
        await moveBetweenCompanies(transaction, before.company_key, change.company_key);
      }),
    MAX_ATTEMPTS,
  );
}

async function moveBetweenCompanies(db: Kysely<Tables>, from: string | null, to: string | null): Promise<void> {
  if (from === to) return;
  const gained = to !== null && (await joinCompany(db, to)) ? 1 : 0;
  const lost = from !== null && (await leaveCompany(db, from)) ? 1 : 0;
  if (gained === lost) return;
  await sql`
    update totals set companies = companies + ${gained - lost} where slot = totals_slot()`.execute(db);
}
