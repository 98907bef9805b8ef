import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import type { Delivery } from "./deliveries.ts";

const GMAIL = new Set(["gmail.com", "googlemail.com"]);

/**
 * Addresses with the same key probably share a mailbox: without the plus-tag and, at Gmail, without dots. It limits the
 * mail that one mailbox gets, and never decides who is on the list, because some providers tell these addresses apart.
 */
export function mailboxKey(emailKey: string): string {
  const at = emailKey.lastIndexOf("@");
  const [local, domain] = [emailKey.slice(0, at).toLowerCase(), emailKey.slice(at + 1).toLowerCase()];
  const untagged = local.replace(/(?<=.)\+.*$/, "");
  return GMAIL.has(domain) ? `${untagged.replaceAll(".", "")}@gmail.com` : `${untagged}@${domain}`;
}

/** A mailbox gets at most three confirmations and links in this time, whichever of its addresses are signed up. */
const PERIOD = sql`interval '30 days'`;
const isFull = sql<boolean>`coalesce(mailboxes.mailed_at[3] > now() - ${PERIOD}, false)`;

/** Counts mails that are sent for the first time, and returns those within the limit. The others get a later time. */
export async function countForMailboxes(transaction: Kysely<Tables>, mails: Delivery[]): Promise<Delivery[]> {
  if (mails.length === 0) return mails;
  const { rows: firsts } = await sql<Delivery & { emailKey: string }>`
    select message_id as "messageId", sign_up_id as "signUpId", email_key as "emailKey"
    from unnest(${mails.map(({ messageId }) => messageId)}::bigint[], ${mails.map(({ signUpId }) => signUpId)}::bigint[])
        as chosen (message_id, sign_up_id)
      join deliveries using (message_id, sign_up_id)
      join sign_ups on id = sign_up_id
    where first_tried_at is null`.execute(transaction);
  const isDeferred = new Set<string>();
  for (const { messageId, signUpId, emailKey } of firsts) {
    const mailbox = mailboxKey(emailKey);
    const { numAffectedRows } = await sql`
      with counted as (
        insert into mailboxes (mailbox, mailed_at) values (${mailbox}, array[now()])
        on conflict (mailbox) do update set mailed_at = (array_prepend(now(), mailboxes.mailed_at))[:3]
        where not ${isFull}
        returning mailbox
      )
      update deliveries set next_try_at = mailed_at[3] + ${PERIOD} from mailboxes
      where message_id = ${messageId} and sign_up_id = ${signUpId}
        and mailbox = ${mailbox} and not exists (select from counted)`.execute(transaction);
    if (numAffectedRows === 1n) isDeferred.add(signUpId);
  }
  return mails.filter(({ signUpId }) => !isDeferred.has(signUpId));
}

export async function isMailboxFull(db: Kysely<Tables>, emailKey: string): Promise<boolean> {
  const { rows } = await sql`
    select from mailboxes where mailbox = ${mailboxKey(emailKey)} and ${isFull}`.execute(db);
  return rows.length > 0;
}

export function readMailbox(db: Kysely<Tables>, emailKey: string) {
  return db
    .selectFrom("mailboxes")
    .select(["mailbox", "mailed_at"])
    .where("mailbox", "=", mailboxKey(emailKey))
    .executeTakeFirst();
}

/** Uses up a mailbox's limit, for someone who unsubscribes: its other addresses get nothing either. */
export async function fillMailbox(db: Kysely<Tables>, emailKey: string): Promise<void> {
  await sql`
    insert into mailboxes (mailbox, mailed_at) values (${mailboxKey(emailKey)}, array[now(), now(), now()])
    on conflict (mailbox) do update set mailed_at = excluded.mailed_at where not ${isFull}`.execute(db);
}

/** For people who are deleted. If one mailbox has several, the others' count starts over. */
export async function deleteMailboxes(db: Kysely<Tables>, emailKeys: string[]): Promise<void> {
  await sql`delete from mailboxes where mailbox = any(${emailKeys.map(mailboxKey)}::text[])`.execute(db);
}
