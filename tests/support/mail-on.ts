import type { Kysely } from "kysely";
import type { MailConfig } from "#core/config/config.ts";
import type { Tables } from "#core/database/tables.ts";
import { type MailOn, recordMail } from "#core/mail/switch.ts";

/** Proof that mail is on, for tests that don't read the switch. */
export const MAIL_ON = {} as MailOn;

/** Records whether mail is on, as a server does from its settings when it starts. */
export const switchMail = (db: Kysely<Tables>, isOn: boolean) => recordMail(db, isOn ? ({} as MailConfig) : undefined);
