import type { Kysely } from "kysely";
import type { MailConfig } from "#core/config/config.ts";
import type { Tables } from "#core/database/tables.ts";

declare const on: unique symbol;

/** Proof that mail is on. Code that needs mail takes it instead of guessing from settings. Only this file makes it. */
export interface MailOn {
  readonly [on]: true;
}

const MAIL_ON = {} as MailOn;

/** Each server records at startup whether it asks people to confirm. If servers differ, the last to start decides. */
export async function recordMail(db: Kysely<Tables>, mail: MailConfig | undefined): Promise<MailOn | undefined> {
  await db
    .updateTable("mail_switch")
    .set({ is_on: mail !== undefined })
    .execute();
  return mail && MAIL_ON;
}

/** For commands and consoles, which may lack the servers' mail settings. Undefined if mail is off. */
export async function readMail(db: Kysely<Tables>): Promise<MailOn | undefined> {
  const { is_on } = await db.selectFrom("mail_switch").select("is_on").executeTakeFirstOrThrow();
  return is_on ? MAIL_ON : undefined;
}
