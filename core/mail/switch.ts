import type { Kysely } from "kysely";
import type { MailConfig } from "#core/config/config.ts";
import type { Tables } from "#core/database/tables.ts";

declare const on: unique symbol;

/** Shows that mail is on. Whatever needs mail takes one, and only this file makes it, so nobody guesses from settings. */
export interface MailOn {
  readonly [on]: true;
}

const MAIL_ON = {} as MailOn;

/** Each server says at its start whether it asks people to confirm. If servers differ, the last one to start decides. */
export async function recordMail(db: Kysely<Tables>, mail: MailConfig | undefined): Promise<MailOn | undefined> {
  await db
    .updateTable("mail_switch")
    .set({ is_on: mail !== undefined })
    .execute();
  return mail && MAIL_ON;
}

/** For commands and consoles, whose own settings may lack the servers'. Undefined if mail is off. */
export async function readMail(db: Kysely<Tables>): Promise<MailOn | undefined> {
  const { is_on } = await db.selectFrom("mail_switch").select("is_on").executeTakeFirstOrThrow();
  return is_on ? MAIL_ON : undefined;
}
