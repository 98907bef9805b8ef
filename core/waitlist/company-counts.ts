import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";

/** Returns whether the last member left. Locks the row before reading it, so that nobody can join in between. */
export async function leaveCompany(db: Kysely<Tables>, key: string): Promise<boolean> {
  const company = await db
    .selectFrom("companies")
    .select("sign_ups")
    .where("key", "=", key)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (company.sign_ups === 1) {
    await db.deleteFrom("companies").where("key", "=", key).execute();
    return true;
  }
  await db
    .updateTable("companies")
    .set(({ eb }) => ({ sign_ups: eb("sign_ups", "-", 1) }))
    .where("key", "=", key)
    .execute();
  return false;
}

/** Returns whether they are its first member. */
export async function joinCompany(db: Kysely<Tables>, key: string): Promise<boolean> {
  const { rows } = await sql<{ sign_ups: number }>`
    insert into companies as company (key, sign_ups) values (${key}, 1)
    on conflict (key) do update set sign_ups = company.sign_ups + 1
    returning sign_ups`.execute(db);
  return rows[0]?.sign_ups === 1;
}
