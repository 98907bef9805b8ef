import { type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { isPersonal, MAX_CONFIRMATIONS } from "#core/messages/recipients.ts";
import { isMailboxFull } from "./mailboxes.ts";

/** Why someone gets no link. The limits that keep strangers from abusing our mail apply to operators too. */
export type LinkRefusal = "missing" | "rejected" | "pending" | "recent" | "limit";

/** Emails someone the link to their page: the confirmation until they have confirmed. Returns why not, or undefined. */
export function sendLink(db: Database, actor: Actor, id: string): Promise<LinkRefusal | undefined> {
  return db.transaction().execute(async (transaction) => {
    const refusal = await readRefusal(transaction, id);
    if (refusal) return refusal;
    await sql`update sign_ups set mail_due = true where id = ${id}`.execute(transaction);
    await recordActivity(transaction, actor, { action: "send link", person: id });
    return undefined;
  });
}

/** Locks the person until the transaction ends. */
async function readRefusal(transaction: Kysely<Tables>, id: string): Promise<LinkRefusal | undefined> {
  const had = (condition: ReturnType<typeof sql>) =>
    sql`exists (select from deliveries where sign_up_id = id and ${isPersonal} and ${condition})`;
  const { rows } = await sql<{ emailKey: string; refusal: LinkRefusal | null }>`
    select email_key as "emailKey", case
      when rejected_at is not null then 'rejected'
      when mail_due or ${had(sql`state = 'pending'`)} then 'pending'
      when ${had(sql`tried_at >= now() - interval '24 hours'`)} then 'recent'
      when confirmed_at is null and ${had(sql`copies >= ${MAX_CONFIRMATIONS}`)} then 'limit'
    end as refusal
    from sign_ups where id = ${id} for update`.execute(transaction);
  const [person] = rows;
  if (!person) return "missing";
  return person.refusal ?? ((await isMailboxFull(transaction, person.emailKey)) ? "limit" : undefined);
}
