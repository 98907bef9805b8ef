import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { DURABLE } from "#core/database/durability.ts";
import type { EmailKey, Tables } from "#core/database/tables.ts";
import { CONFIRMATION, OWN_MESSAGE } from "#core/mail/recipients.ts";
import type { MailOn } from "#core/mail/switch.ts";
import { IS_COMPLAINT_LAST } from "#core/people/consent.ts";
import type { Resend } from "#core/sign-ups/write-batch.ts";
import { silenceMailbox } from "./mailboxes.ts";

/**
 * When an address may get its next copy, as SQL on deliveries and sign_ups. No matter who asks or how often: a second
 * after five minutes, a third after an hour, three a day, and five in 30 days; no confirmation after an unsubscribe.
 */
export const NEXT_COPY_AT = `case when confirmed_at is null and reason = 'unsubscribed' then 'infinity' else
  greatest(mailed_at[1] + interval '5 minutes', mailed_at[2] + interval '1 hour',
    mailed_at[3] + interval '1 day', mailed_at[5] + interval '30 days') end`;

/** Our mail bounced 30 days ago, so the mailbox may exist by now. Imported bounces stay rejected. */
const MAY_BE_TRIED_AGAIN = `rejected_at < now() - interval '30 days' and exists (
  select from deliveries where sign_up_id = sign_ups.id and state = 'bounced' and tried_at = rejected_at
)`;

/** How many mails of a network are sent before this person's, up to 50. */
const ahead = (network: string) => `(select count(*) from (
  select from sign_ups as other where other.mail_due and other.mail_network = ${network} and other.id < sign_ups.id limit 50
) as counted)`;

/**
 * Whether a request from this network counts. A mail that its mailbox's limit postponed may be requested again, because
 * the latest request goes first. A due mail moves to the requester's network only if fewer mails are ahead of it there,
 * so that a stranger's flood can't delay it.
 */
const mayGetMail = (network: string) => `case
  when mail_due then rejected_at is null and ${ahead(network)} < ${ahead("sign_ups.mail_network")}
  else (rejected_at is null or ${MAY_BE_TRIED_AGAIN}) and not exists (
    select from deliveries
    where sign_up_id = sign_ups.id and message_id = ${OWN_MESSAGE}
      and ((state = 'pending' and first_tried_at is not null) or ${NEXT_COPY_AT} > now())
  ) end`;

/** What signing people up does about mail: nothing, unless mail is on. */
export const resendFor = (mail: MailOn | undefined): Resend | undefined => mail && flagForResend;

/** Flags unconfirmed people who sign up again, because the first mail may be lost, or mail may have been off. */
const flagForResend: Resend = async (db, signUps) => {
  await db.query({
    name: "flag-for-resend",
    text: `
      update sign_ups set mail_due = true, mail_network = flagged.mail_network, rejected_at = null
      from (
        select id, again.mail_network
        from json_to_recordset($1) as again (email_key text, mail_network smallint) join sign_ups using (email_key)
        where confirmed_at is null and ${mayGetMail("again.mail_network")}
        -- In the order of ids, so that two servers with the same duplicates can't deadlock.
        order by id for no key update of sign_ups
      ) as flagged where sign_ups.id = flagged.id`,
    values: [JSON.stringify(signUps)],
  });
}

/**
 * Flags the person with this address for a mail with their link; until they confirm, that is the confirmation mail.
 * Always writes to the WAL, so that response times don't reveal whether an address is on the list.
 */
export async function requestLink(db: Database, _mail: MailOn, emailKey: EmailKey, network: number): Promise<void> {
  await db.pool.query({
    name: "request-link",
    text: `
      with flagged as (
        update sign_ups set mail_due = true, mail_network = $2::smallint, rejected_at = null
        where email_key = $1 and ${mayGetMail("$2::smallint")}
      )
      select ${DURABLE}`,
    values: [emailKey, network],
  });
}

/**
 * Stops confirmation mails after an unsubscribe, no matter how often the address is signed up. A repeat neither locks
 * nor writes anything, because unsubscribing has no rate limit.
 */
export async function stopConfirmations(db: Database, person: { id: string; email_key: EmailKey }): Promise<void> {
  await db.transaction().execute((transaction) => stopWithin(transaction, person));
}

async function stopWithin(db: Kysely<Tables>, person: { id: string; email_key: EmailKey }): Promise<void> {
  const { numAffectedRows } = await sql`
    with person as (
      -- Locks the person, because a delivery can't be added to someone who is being erased.
      select id, mail_due from sign_ups
      where id = ${person.id} and confirmed_at is null and (mail_due or not exists (
        select from deliveries
        where sign_up_id = ${person.id} and message_id = ${CONFIRMATION} and reason = 'unsubscribed'
      ))
      for no key update
    ), unflagged as (
      update sign_ups set mail_due = false, mail_network = 0 from person where sign_ups.id = person.id and person.mail_due
    )
    insert into deliveries as kept (message_id, sign_up_id, state, reason)
    select ${CONFIRMATION}, id, 'skipped', 'unsubscribed' from person
    on conflict (sign_up_id, message_id) do update set
      state = case when kept.state in ('pending', 'failed') then 'skipped' else kept.state end, reason = 'unsubscribed'
    where kept.reason is distinct from 'unsubscribed'`.execute(db);
  if (numAffectedRows) await silenceMailbox(db, person.email_key);
}

/** Whether nothing is left to unsubscribe from: neither product news nor mails that ask to confirm. */
export async function isUnsubscribed(
  db: Kysely<Tables>,
  { id, newsletter, confirmed_at }: { id: string; newsletter: boolean; confirmed_at: Date | null },
): Promise<boolean> {
  if (newsletter) return false;
  // After a complaint, which may be undone, a click is still recorded.
  const { rows: complaints } = await sql`
    select from sign_ups where id = ${id} and ${IS_COMPLAINT_LAST}`.execute(db);
  if (complaints.length > 0) return false;
  if (confirmed_at) return true;
  const { rows } = await sql`
    select from deliveries
    where sign_up_id = ${id} and message_id = ${CONFIRMATION} and reason = 'unsubscribed'`.execute(db);
  return rows.length > 0;
}
