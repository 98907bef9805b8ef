import type { Kysely } from "kysely";
import type { Tables } from "#core/database/tables.ts";

/** Each server says at its start whether it asks people to confirm. If servers differ, the last one to start decides. */
export async function recordMail(db: Kysely<Tables>, isOn: boolean): Promise<void> {
  await db.updateTable("mail_switch").set({ is_on: isOn }).execute();
}

/** Whether mail is on: never a question of a command's or console's own settings, which may lack the servers'. */
export async function isMailOn(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom("mail_switch").select("is_on").executeTakeFirstOrThrow()).is_on;
}
