import { type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { MAX_PER_MAILBOX, SENT_TO_MAILBOX } from "./outbox.ts";
import { CONFIRMATION, LINK, MAX_CONFIRMATIONS } from "./recipients.ts";

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
async function readRefusal(transaction: Kysely<Tables>, id: string): Promise<LinkRefusal | null> {
  const { rows } = await sql<{ refusal: LinkRefusal | null }>`
    select case
      when rejected_at is not null then 'rejected'
      when mail_due then 'pending'
      when exists (
        select from deliveries where sign_up_id = person.id and message_id in (${CONFIRMATION}, ${LINK})
          and greatest(queued_at, tried_at) >= now() - interval '24 hours'
      ) then 'recent'
      when sent >= ${MAX_PER_MAILBOX} or (confirmed_at is null and exists (
        select from deliveries where sign_up_id = person.id and message_id = ${CONFIRMATION}
          and copies >= ${MAX_CONFIRMATIONS}
      )) then 'limit'
    end as refusal
    from (
      select id, rejected_at, mail_due, confirmed_at, coalesce(mailbox_key, email_key) as mailbox
      from sign_ups where id = ${id} for update
    ) as person, lateral (${SENT_TO_MAILBOX}) as earlier`.execute(transaction);
  return rows[0] ? rows[0].refusal : "missing";
}
