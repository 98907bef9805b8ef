import { type Kysely, sql } from "kysely";
import type { EmailKey, Tables } from "#core/database/tables.ts";
import type { Chunk } from "#core/database/transaction.ts";
import { type Delivery, isPlain, MAILBOX_PAUSE, nextSlot, REMINDER } from "#core/mail/recipients.ts";
import { mailboxKey } from "#core/people/address.ts";
import { isListed } from "#core/people/states.ts";

/** Returns the mails that may be sent now. Mails of the message with id `limited` need a free slot in their mailbox. */
export async function takeSlots(transaction: Kysely<Tables>, limited: string, mails: Delivery[]): Promise<Delivery[]> {
  if (!mails.some(({ messageId }) => messageId === limited)) return mails;
  const { rows } = await sql<{ signUpId: string; emailKey: EmailKey }>`
    select sign_up_id as "signUpId", email_key as "emailKey" from deliveries join sign_ups on id = sign_up_id
    where message_id = ${limited} and sign_up_id = any(${mails.map(({ signUpId }) => signUpId)}::bigint[])
      and first_tried_at is null and ${isListed}`.execute(transaction);
  const emailKeys = new Map(rows.map(({ signUpId, emailKey }) => [signUpId, emailKey]));
  const taken: Delivery[] = [];
  for (const mail of mails) {
    const emailKey = mail.messageId === limited ? emailKeys.get(mail.signUpId) : undefined;
    if (emailKey === undefined || (await takeSlot(transaction, mail, emailKey))) taken.push(mail);
  }
  return taken;
}

async function takeSlot(transaction: Kysely<Tables>, mail: Delivery, emailKey: EmailKey): Promise<boolean> {
  const [mailbox, slot] = [mailboxKey(emailKey), nextSlot(emailKey)];
  // Newer requests are due earlier; otherwise, a flood would shut out the mailbox's owner. A mail that loses its slot
  // waits for 30 days or another request; otherwise, a flood would be sent, at one mail a day. A reminder is skipped.
  const change =
    mail.messageId === REMINDER
      ? sql`state = 'skipped', reason = 'limit'`
      : sql`next_try_at = case when next_try_at is null then ${slot} + (${slot} - now()) / 1000 else now() + ${MAILBOX_PAUSE} end`;
  const { numAffectedRows: deferred } = await sql`
    update deliveries set ${change} from mailboxes
    where mailbox = ${mailbox} and ${slot} > now()
      and message_id = ${mail.messageId} and sign_up_id = ${mail.signUpId}`.execute(transaction);
  if (!deferred && !isPlain(emailKey)) {
    await sql`
      insert into mailboxes (mailbox, mailed_at) values (${mailbox}, array[now()])
      on conflict (mailbox) do update
        set mailed_at = (array_prepend(now(), mailboxes.mailed_at))[:3]`.execute(transaction);
  }
  return !deferred;
}

export async function isMailboxFull(db: Kysely<Tables>, emailKey: EmailKey): Promise<boolean> {
  const { rows } = await sql`
    select from mailboxes where mailbox = ${mailboxKey(emailKey)} and ${nextSlot(emailKey)} > now()`.execute(db);
  return rows.length > 0;
}

export function readMailbox(db: Kysely<Tables>, emailKey: EmailKey) {
  const mailboxes = db.selectFrom("mailboxes").select(["mailbox", "mailed_at", "unsubscribed_at"]);
  return mailboxes.where("mailbox", "=", mailboxKey(emailKey)).executeTakeFirst();
}

/** After an unsubscribe, the address's other spellings get no confirmation for 30 days. */
export async function silenceMailbox(db: Kysely<Tables>, emailKey: EmailKey): Promise<void> {
  await sql`
    insert into mailboxes (mailbox, unsubscribed_at) values (${mailboxKey(emailKey)}, now())
    on conflict (mailbox) do update set unsubscribed_at = excluded.unsubscribed_at`.execute(db);
}

/** Call it for deleted people; for others who share their mailbox, the count starts over. */
export async function deleteMailboxes(chunk: Chunk, emailKeys: EmailKey[]): Promise<void> {
  await sql`delete from mailboxes where mailbox = any(${emailKeys.map(mailboxKey)}::text[])`.execute(chunk);
}
