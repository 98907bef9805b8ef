import { type Kysely, sql } from "kysely";
import type { Details } from "#contract/member.ts";
import { VISIBLE } from "#contract/sign-up.ts";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { makeDurable } from "#core/database/durability.ts";
import type { Tables } from "#core/database/tables.ts";
import { onePerson, retryTransaction } from "#core/database/transaction.ts";
import { joinCompanies, leaveCompanies } from "#core/people/company-counts.ts";
import { derivedColumns, PERSON_COLUMNS } from "#core/people/person-columns.ts";
import { isIn } from "#core/people/states.ts";

/**
 * Corrects a person's name and company. An empty text removes the company, an omitted field stays as it is. Totals and
 * company counts stay exact while others join, and don't count anyone who is set aside. With no fields at all, it only
 * updates the derived columns, and records nothing. Returns whether the person was found.
 */
export async function editPerson(
  db: Database,
  /** Null for members, who need a confirmed address to edit their details. */
  actor: Actor | null,
  id: string,
  { firstName, lastName, company }: { [Name in keyof Details]?: Details[Name] | undefined },
): Promise<boolean> {
  return retryTransaction(db, async (transaction) => {
    // Locks the person before the companies, as sign-ups and erasures do, to avoid deadlocks.
    const person = await transaction
      .selectFrom("sign_ups")
      .select(["company_key", "set_aside_at", ...PERSON_COLUMNS])
      .where("id", "=", id)
      .$if(actor === null, (query) => query.where(isIn("confirmed")))
      .forUpdate()
      .executeTakeFirst();
    if (!person) {
      await makeDurable(transaction);
      return false;
    }
    const employer = company ?? person.company ?? "";
    const edited = {
      first_name: firstName ?? person.first_name,
      last_name: lastName ?? person.last_name,
      company: VISIBLE.test(employer) ? employer : null,
    };
    const { company_key, search_words } = derivedColumns({ ...person, ...edited });
    await transaction
      .updateTable("sign_ups")
      .set({ ...edited, company_key, search_words })
      .where("id", "=", id)
      .execute();
    if (!person.set_aside_at) await changeCompany(transaction, person.company_key, company_key);
    const isEdited = [firstName, lastName, company].some((field) => field !== undefined);
    if (actor && isEdited) await recordActivity(transaction, actor, { action: "edit", person: id });
    return true;
  });
}

async function changeCompany(db: Kysely<Tables>, from: string | null, to: string | null): Promise<void> {
  if (from === to) return;
  let companies = 0;
  // Sorted by bytes, as in a batch of sign-ups, to avoid deadlocks; JavaScript would sort by UTF-16.
  const keys = [from, to].filter((one) => one !== null);
  for (const key of keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
    if (key === from) companies -= await leaveCompanies(onePerson(db), [key]);
    if (key === to) companies += await joinCompanies(onePerson(db), [key]);
  }
  if (companies !== 0) {
    await sql`update totals set companies = companies + ${companies} where slot = totals_slot()`.execute(db);
  }
}
