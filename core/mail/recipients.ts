import { sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";

export type Kind = Tables["messages"]["kind"];

export interface Delivery {
  messageId: string;
  signUpId: string;
}

/** The ids of the built-in messages: the confirmation, and the member link for people who have confirmed. */
export const CONFIRMATION = "1";
export const LINK = "2";

/** The built-in message that someone gets on request, as SQL on sign_ups. */
export const OWN_MESSAGE = `case when confirmed_at is null then ${CONFIRMATION} else ${LINK} end`;

/** Whether someone is waiting for this mail, so that it goes before bulk messages; as SQL on deliveries. */
export const isPersonal = sql<boolean>`message_id in (${sql.lit(CONFIRMATION)}, ${sql.lit(LINK)})`;

/**
 * Who may get a kind of message, as SQL on sign_ups and the kind: null for recipients, the reason for others. Evaluated
 * when an audience is split and prepared, and before each mail. core/mail/ limits confirmations and links further.
 */
export function refusal(kind = sql.ref<Kind>("messages.kind")) {
  return sql<string | null>`
    case
      when sign_ups.rejected_at is not null then 'rejected'
      when ${kind} = 'confirmation' then
        case when sign_ups.confirmed_at is not null then 'confirmed' end
      when sign_ups.confirmed_at is null then 'unconfirmed'
      when ${kind} = 'announcement' and not sign_ups.newsletter then 'unsubscribed'
    end`;
}

/**
 * Whether someone is a recipient. Uses CASE, which PostgreSQL estimates as true for half of all people. It estimates
 * IS NULL at 1 in 200, and would then read and sort the whole list for each chunk.
 */
export const isRecipient = (kind: Kind) =>
  sql<boolean>`case when ${refusal(sql`${kind}::text`)} is null then true else false end`;

/**
 * Applies the rule at delivery time, because an invitation may have been taken back since. Compares waves, because
 * another message may have invited the person again.
 */
export const refusalNow = () => sql<string | null>`
  coalesce(
    ${refusal()},
    case
      when messages.kind <> 'invitation' then null
      when sign_ups.invited_at is null or sign_ups.wave_id is distinct from messages.wave_id then 'uninvited'
    end
  )`;
