import type { Stats } from "#contract/stats.ts";
import type { Database } from "#server/database/connect.ts";
import type { NewSignUp } from "#server/database/tables.ts";

export type Totals = Stats["data"];

/** Adds a sign-up, its company and the totals in one transaction. Undefined where the address is there already. */
export async function insertSignUp(db: Database, signUp: NewSignUp): Promise<Totals | undefined> {
  return db.transaction().execute(async (trx) => {
    // The index decides, never a SELECT before: of two at the same moment, the second waits here for the first.
    const inserted = await trx
      .insertInto("sign_ups")
      .values(signUp)
      .onConflict((conflict) => conflict.column("email_key").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!inserted) return undefined;

    const newCompanies = signUp.company_key && (await countInCompany(trx, signUp.company_key)) === 1 ? 1 : 0;
    const totals = await trx
      .updateTable("totals")
      .set((row) => ({ users: row("users", "+", "1"), companies: row("companies", "+", String(newCompanies)) }))
      .returning(["users", "companies"])
      .executeTakeFirstOrThrow();
    return asTotals(totals);
  });
}

/** How many of this company are on the list, this one included. */
async function countInCompany(trx: Database, key: string): Promise<number> {
  const { sign_ups } = await trx
    .insertInto("companies")
    .values({ key, sign_ups: 1 })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((row) => ({ sign_ups: row("companies.sign_ups", "+", 1) })),
    )
    .returning("sign_ups")
    .executeTakeFirstOrThrow();
  return sign_ups;
}

export async function insertQuarantined(
  db: Database,
  { company_key: _, ...person }: NewSignUp,
  website: string,
): Promise<void> {
  await db
    .insertInto("quarantine")
    .values({ ...person, website })
    .execute();
}

export async function readTotals(db: Database): Promise<Totals> {
  return asTotals(await db.selectFrom("totals").select(["users", "companies"]).executeTakeFirstOrThrow());
}

function asTotals({ users, companies }: { users: string; companies: string }): Totals {
  return { totalUsers: Number(users), companiesInterested: Number(companies) };
}
