import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { DURABLE } from "#core/database/durability.ts";
import type { EmailKey, Tables } from "#core/database/tables.ts";
import { CONFIRMATION, HAS_REFUSED, mayRequest } from "#core/mail/recipients.ts";
import type { MailOn } from "#core/mail/switch.ts";
import { IS_COMPLAINT_LAST } from "#core/people/consent.ts";
import { isIn } from "#core/people/states.ts";
import type { Resend } from "#core/sign-ups/write-batch.ts";
import { silenceMailbox } from "./mailboxes.ts";

/** Undefined if mail is off: then nobody who signs up again is flagged. */
export const resendFor = (mail: MailOn | undefined): Resend | undefined => mail && flagForResend;

/** Flags unconfirmed people who sign up again, because the first mail may be lost, or mail may have been off. */
const flagForResend: Resend = async (db, signUps) => {
  await db.query({
    name: "flag-for-resend",
    text: `
      update sign_ups set mail_network = flagged.mail_network, suppressed_at = null
      from (
        select id, again.mail_network
        from json_to_recordset($1) as again (email_key text, mail_network integer) join sign_ups using (email_key)
        where ${isIn("confirmed", false)} and ${mayRequest("again.mail_network")}
        -- In the order of ids, so that two servers with the same duplicates can't deadlock.
        order by id for no key update of sign_ups
      ) as flagged where sign_ups.id = flagged.id`,
    values: [JSON.stringify(signUps)],
  });
};

/**
 * Flags the person with this address for a mail with their link or, until they confirm, for the confirmation.
 * Always writes to the WAL, so that response times don't reveal whether an address is on the list.
 */
export async function requestLink(db: Database, _mail: MailOn, emailKey: EmailKey, network: number): Promise<void> {
  await db.pool.query({
    name: "request-link",
    text: `
      with flagged as (
        update sign_ups set mail_network = $2::integer, suppressed_at = null
        where email_key = $1 and ${mayRequest("$2::integer")}
      )
      select ${DURABLE}`,
    values: [emailKey, network],
  });
}

/**
 * Stops confirmation mails after an unsubscribe, no matter how often the address is signed up. Unsubscribing again
 * neither locks nor writes anything, because unsubscribing has no rate limit.
 */
export function stopConfirmations(db: Database, { id, email_key }: { id: string; email_key: EmailKey }): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await sql`
      with person as (
        -- Locks the person, because a delivery can't be added to someone who is being erased.
        select id, mail_network from sign_ups
        where id = ${id} and ${isIn("confirmed", false)} and (mail_network is not null or not ${HAS_REFUSED})
        for no key update
      ), unflagged as (
        update sign_ups set mail_network = null from person where sign_ups.id = person.id and person.mail_network is not null
      )
      insert into deliveries as kept (message_id, sign_up_id, state, reason)
      select ${CONFIRMATION}, id, 'skipped', 'unsubscribed' from person
      on conflict (sign_up_id, message_id) do update set
        state = case when kept.state in ('pending', 'failed') then 'skipped' else kept.state end, reason = 'unsubscribed'
      where kept.reason is distinct from 'unsubscribed'`.execute(transaction);
    if (numAffectedRows) await silenceMailbox(transaction, email_key);
  });
}

/** Whether nothing is left to unsubscribe from: neither product news nor mails that ask to confirm. */
export async function isUnsubscribed(db: Kysely<Tables>, { id }: { id: string }) {
  // A click after a complaint is still recorded, because the complaint may be undone.
  const { rows } = await sql`
    select 1 from sign_ups where id = ${id} and not newsletter and not (${IS_COMPLAINT_LAST})
      and (${isIn("confirmed")} or ${HAS_REFUSED})`.execute(db);
  return rows.length > 0;
}
