import { type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { EmailKey, Tables } from "#core/database/tables.ts";
import { REQUEST_REFUSAL } from "#core/mail/recipients.ts";
import type { MailOn } from "#core/mail/switch.ts";
import { NO_NETWORK } from "#core/people/origin.ts";
import { isIn } from "#core/people/states.ts";
import { isMailboxFull } from "./mailboxes.ts";

/** Why someone gets no link. The limits that keep strangers from abusing our mail apply to operators too. */
export type LinkRefusal = "missing" | "set aside" | "suppressed" | "pending" | "recent" | "limit";

/** Emails someone the link to their page or, until they confirm, the confirmation. Returns the reason if it can't. */
export function sendLink(db: Database, _mail: MailOn, actor: Actor, id: string): Promise<LinkRefusal | undefined> {
  return db.transaction().execute(async (transaction) => {
    const refusal = await readRefusal(transaction, id);
    if (refusal) return refusal;
    await sql`update sign_ups set mail_network = ${NO_NETWORK} where id = ${id}`.execute(transaction);
    await recordActivity(transaction, actor, { action: "send link", person: id });
    return undefined;
  });
}

/** Locks the person until the transaction ends. */
async function readRefusal(transaction: Kysely<Tables>, id: string): Promise<LinkRefusal | undefined> {
  const { rows } = await sql<{ emailKey: EmailKey; isConfirmed: boolean; refusal: LinkRefusal | null }>`
    select email_key as "emailKey", ${isIn("confirmed")} as "isConfirmed", ${sql.raw(REQUEST_REFUSAL)} as refusal
    from sign_ups where id = ${id} for update`.execute(transaction);
  const [person] = rows;
  if (!person) return "missing";
  if (person.refusal || person.isConfirmed) return person.refusal ?? undefined;
  return (await isMailboxFull(transaction, person.emailKey)) ? "limit" : undefined;
}
