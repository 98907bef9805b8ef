import type { Kysely } from "kysely";
import type { MailConfig } from "#core/config/config.ts";
import type { Tables } from "#core/database/tables.ts";
import { type MailOn, recordMail } from "#core/mail/switch.ts";

/** What the switch returns while mail is on, for tests that don't ask it. */
export const MAIL_ON = {} as MailOn;

/** As a server with or without mail settings does when it starts. */
export const switchMail = (db: Kysely<Tables>, isOn: boolean) => recordMail(db, isOn ? ({} as MailConfig) : undefined);
