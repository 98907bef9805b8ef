import { type Kysely, type RawBuilder, sql } from "kysely";
import { onlyRow } from "#core/database/only-row.ts";
import type { EmailKey, Tables } from "#core/database/tables.ts";
import { mailboxKey } from "#core/people/address.ts";
import { isIn } from "#core/people/states.ts";

export type Kind = Tables["messages"]["kind"];

export interface Delivery {
  messageId: string;
  signUpId: string;
}

/** The ids of built-in messages: the confirmation, the member link for people who have confirmed, and the reminder. */
export const CONFIRMATION = "1";
export const LINK = "2";
export const REMINDER = "0";

/** The built-in message that someone gets on request, as SQL on sign_ups. */
export const OWN_MESSAGE = `case when ${isIn("confirmed", false)} then ${CONFIRMATION} else ${LINK} end`;

/** Whether someone is waiting for this mail, so that it goes before bulk messages; as SQL on deliveries. */
export const isPersonal = sql<boolean>`message_id in (${sql.lit(CONFIRMATION)}, ${sql.lit(LINK)})`;

/** The refusal that only postpones a mail, because the person may come back. */
export const SET_ASIDE = sql.lit("set aside");

/**
 * Who may get a kind of message, as SQL on sign_ups and the kind: null for recipients, the reason for others. Evaluated
 * when an audience is split and prepared, and before each mail. Mails on request have further limits, below.
 */
function refusal(kind = sql.ref<Kind>("messages.kind")) {
  return sql<string | null>`
    case
      when ${isIn("setAside")} then ${SET_ASIDE}
      when ${isIn("suppressed")} then 'suppressed'
      when ${kind} = 'confirmation' then
        case when ${isIn("confirmed")} then 'confirmed' end
      when ${kind} = 'reminder' then
        case
          when ${isIn("confirmed")} then 'confirmed'
          when ${HAS_REFUSED} then 'unsubscribed'
          when joined_at < now() - interval '30 days' then 'late'
        end
      when ${isIn("confirmed", false)} then 'unconfirmed'
      when ${kind} = 'announcement' and not sign_ups.newsletter then 'unsubscribed'
    end`;
}

/** Like `refusal`, before an audience is chosen: an invitation also skips everyone who is invited already. */
export const refusalBefore = (kind: RawBuilder<unknown>) => sql<string | null>`
  coalesce(${refusal(sql`${kind}::text`)}, case when ${kind} = 'invitation' and ${isIn("invited")} then 'invited' end)`;

/** Why someone wouldn't get an email of each kind; null if they would. */
export async function readRefusals(db: Kysely<Tables>, id: string) {
  const { rows } = await sql<Record<"confirmation" | "invitation" | "announcement", string | null>>`
    select ${refusalBefore(sql.lit("confirmation"))} as confirmation,
      ${refusalBefore(sql.lit("invitation"))} as invitation, ${refusalBefore(sql.lit("announcement"))} as announcement
    from sign_ups where id = ${id}`.execute(db);
  return onlyRow({ rows });
}

/**
 * Whether someone is a recipient. Uses CASE, which PostgreSQL estimates as true for half of all people. It estimates
 * IS NULL at 1 in 200, and would then read and sort the whole list for each chunk.
 */
export const isRecipient = (kind: Kind) =>
  sql<boolean>`case when ${refusal(sql`${kind}::text`)} is null then true else false end`;

/**
 * The refusal at delivery time, when an invitation may have been taken back or used. Compares waves, because another
 * message may have invited the person again.
 */
export const refusalNow = () => sql<string | null>`
  coalesce(${refusal()}, case
    when messages.kind = 'invitation' and (${isIn("invited", false)} or sign_ups.wave_id is distinct from messages.wave_id)
    then 'uninvited'
    when messages.kind = 'invitation' and ${isIn("accepted")} then 'accepted'
  end)`;

/**
 * When an address may get its next copy, as SQL on deliveries and sign_ups. No matter who asks or how often: copy 2
 * after five minutes, copy 3 after an hour, three a day, and five in 30 days; no confirmation after an unsubscribe.
 */
const NEXT_COPY_AT = `case when ${isIn("confirmed", false)} and reason = 'unsubscribed' then 'infinity' else
  greatest(mailed_at[1] + interval '5 minutes', mailed_at[2] + interval '1 hour',
    mailed_at[3] + interval '1 day', mailed_at[5] + interval '30 days') end`;

const hadOwn = (condition: string) =>
  `exists (select from deliveries where sign_up_id = sign_ups.id and message_id = ${OWN_MESSAGE} and ${condition})`;

const IS_FREE = `${isIn("suppressed", false)}`;

/** Our mail bounced over 30 days ago, so the mailbox may exist by now. Imported bounces stay suppressed. */
const MAY_BE_TRIED_AGAIN = `suppressed_at < now() - interval '30 days' and exists (
  select from deliveries where sign_up_id = sign_ups.id and state = 'bounced' and tried_at = suppressed_at
)`;

/** How many mails of a network are sent before this person's, up to 50. */
const ahead = (network: string) => `(select count(*) from (
  select from sign_ups as other where other.set_aside_at is null and other.mail_network = ${network} and other.id < sign_ups.id limit 50
) as counted)`;

/**
 * Whether a request from this network counts. A mail that its mailbox's limit postponed may be requested again, because
 * the latest request goes first. A due mail moves to the requester's network only if fewer mails are ahead of it there,
 * so that a stranger's flood can't delay it.
 */
export const mayRequest = (network: string) => `case
  when sign_ups.mail_network is not null then ${IS_FREE} and ${ahead(network)} < ${ahead("sign_ups.mail_network")}
  else (${IS_FREE} or ${MAY_BE_TRIED_AGAIN})
    and not ${hadOwn(`((state = 'pending' and first_tried_at is not null) or ${NEXT_COPY_AT} > now())`)} end`;

/** Why an operator can't send someone their own message now, as SQL on sign_ups; null if they can. */
export const REQUEST_REFUSAL = `case
  when ${isIn("setAside")} then 'set aside'
  when ${isIn("suppressed")} then 'suppressed'
  when mail_network is not null or ${hadOwn("state = 'pending'")} then 'pending'
  when ${hadOwn(`${NEXT_COPY_AT} > now() + interval '1 day'`)} then 'limit'
  when ${hadOwn(`${NEXT_COPY_AT} > now()`)} then 'recent'
end`;

/** Whether someone has unsubscribed from confirmations, as SQL on sign_ups. */
export const HAS_REFUSED = sql`exists (
  select from deliveries where sign_up_id = sign_ups.id and message_id = ${CONFIRMATION} and reason = 'unsubscribed')`;

/** Whether a due mail may set the delivery `kept` back to pending. An unsubscribe in the meantime wins. */
export const mayRevive = sql`
  (kept.state <> 'pending' or (kept.first_tried_at is null and kept.next_try_at > now()))
  and (kept.message_id <> ${CONFIRMATION} or kept.reason is distinct from 'unsubscribed')`;

/** Whether the address has no tag and, at Gmail, no dots. Such an address needs no limit: a mailbox has only one. */
export function isPlain(emailKey: EmailKey): boolean {
  return emailKey.split("@", 1)[0] === mailboxKey(emailKey).split("@", 1)[0];
}

/** How long an unsubscribe keeps the mailbox's other spellings from getting confirmations. */
export const MAILBOX_PAUSE = sql`interval '30 days'`;

/**
 * When this address may get its next confirmation, as SQL on mailboxes; null for any time. Tagged and dotted spellings
 * share three confirmations, and then one a day. After an unsubscribe from one spelling, all of them wait.
 */
export function nextSlot(emailKey: EmailKey) {
  const shared = sql`case when cardinality(mailboxes.mailed_at) = 3 then mailboxes.mailed_at[1] + interval '1 day' end`;
  return sql<Date>`greatest(mailboxes.unsubscribed_at + ${MAILBOX_PAUSE}, ${isPlain(emailKey) ? sql`null` : shared})`;
}
