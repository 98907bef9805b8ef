import { type Insertable, sql } from "kysely";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { companyKey } from "./company-key.ts";
import { writeBatch } from "./write-batch.ts";

export type Caught = Insertable<Tables["quarantine"]>;

/** What filled the honeypot is kept for an operator to look at, because browsers' autofill fills honeypots too. */
export async function insertQuarantined(db: Database, caught: Caught[]): Promise<undefined[]> {
  await db.pool.query(
    `insert into quarantine (email_key, email, first_name, last_name, company, newsletter, website)
     select email_key, email, first_name, last_name, company, newsletter, website
     from json_populate_recordset(null::quarantine, $1)`,
    [JSON.stringify(caught)],
  );
  return caught.map(() => undefined);
}

export function readQuarantine(db: Database, most: number) {
  return db.selectFrom("quarantine").selectAll().orderBy("id", "desc").limit(most).execute();
}

/**
 * Puts them on the list as if they had joined just now. Whoever has joined since is known, and stays as they are. They are
 * held meanwhile: someone who is being erased must not come back by this. Without news, because which words they agreed
 * to when they were caught isn't known any more; they can ask for it on their own page.
 */
export async function release(
  db: Database,
  ids: string[],
  isMailed: boolean,
): Promise<{ joined: number; known: number }> {
  return db.transaction().execute(async (transaction) => {
    const caught = await transaction
      .selectFrom("quarantine")
      .selectAll()
      .where("id", "in", ids)
      .orderBy("id")
      .forUpdate()
      .execute();
    if (caught.length === 0) return { joined: 0, known: 0 };
    const outcomes = await writeBatch(
      db,
      { wordingVersion: NEWSLETTER_CONSENT.version, isMailed },
      caught.map(({ email_key, email, first_name, last_name, company }) => ({
        ...{ email_key, email, first_name, last_name, company },
        newsletter: false,
        company_key: companyKey(company ?? "") ?? null,
        idempotency_key: null,
        utm: null,
      })),
    );
    // Should this fail, they are on the list and in quarantine, and can be released again.
    await transaction.deleteFrom("quarantine").where("id", "in", ids).execute();
    const joined = outcomes.filter(({ kind }) => kind === "joined").length;
    return { joined, known: outcomes.length - joined };
  });
}

export async function dropQuarantined(db: Database, which: string[] | { olderThanDays: number }): Promise<number> {
  const condition = Array.isArray(which)
    ? sql<boolean>`id = any(${which}::bigint[])`
    : sql<boolean>`caught_at < now() - make_interval(days => ${which.olderThanDays}::integer)`;
  const { numDeletedRows } = await db.deleteFrom("quarantine").where(condition).executeTakeFirst();
  return Number(numDeletedRows);
}
