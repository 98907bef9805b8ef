import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";

/** Each server says at its start whether it asks people to confirm. If servers differ, the last one to start decides. */
export async function recordMail(db: Kysely<Tables>, isOn: boolean): Promise<void> {
  await sql`
    insert into mail_switch (is_on) values (${isOn})
    on conflict (only_row) do update set is_on = excluded.is_on`.execute(db);
}

/** Whether mail is on: never a question of a command's or console's own settings, which may lack the servers'. */
export async function isMailOn(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom("mail_switch").select("is_on").executeTakeFirst();
  return row?.is_on ?? false;
}
