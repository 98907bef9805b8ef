import { sql } from "kysely";
import type { Keys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { subjectOf } from "#core/links/invitation-tokens.ts";
import { answerTexts } from "#core/people/questions.ts";

/** An endpoint with its next event. */
export interface ClaimedEvent
  extends Record<"endpointId" | "url" | "cursor" | "position" | "webhookId" | "type", string> {
  sends: Tables["webhook_endpoints"]["sends"];
  secrets: string[];
  attempts: number;
  at: Date;
  /** An erased person's pseudonym. */
  sub: string | null;
  emailKey: string | null;
  contact: object | null;
}

/** Longer than the timeout of a request. After the lease, another worker may send the event. */
export const LEASE = sql`interval '1 minute'`;

/** Claims the next event of each endpoint that is due. */
export function claimEvents(db: Database): Promise<ClaimedEvent[]> {
  return db.transaction().execute(async (transaction) => {
    await sql`select number_webhook_events()`.execute(transaction);
    const { rows } = await sql<ClaimedEvent>`
      with due as (
        select id, cursor, sends from webhook_endpoints
        where state = 'active' and next_try_at <= now() for update skip locked
      )
      update webhook_endpoints as endpoint set next_try_at = now() + ${LEASE}
      from due, lateral (
        select position, webhook_id, type, at, sub, email_key, case when due.sends = 'contact' and sign_ups.id is not null then
          json_build_object('email', email, 'firstName', first_name, 'lastName', last_name, 'company', company,
            'answers', coalesce(${answerTexts}, '[]'))
        end as contact
        from webhook_events left join sign_ups on sign_ups.id = person_id
        where position > due.cursor and (endpoint_id is null or endpoint_id = due.id)
        order by position limit 1
      ) as event
      where endpoint.id = due.id
      returning endpoint.id as "endpointId", url, endpoint.sends, endpoint.cursor, attempts, position, webhook_id as "webhookId", type,
        event.at, sub, email_key as "emailKey", contact,
        secrets[:case when rotated_at > now() - interval '1 day' then 3 else 1 end]`.execute(transaction);
    return rows;
  });
}

/** Composed right before sending, so that stored events contain nothing personal. */
export function eventBody(keys: Keys, { type, at, sub, emailKey, contact }: ClaimedEvent): string {
  const subject = sub ?? (emailKey ? subjectOf(keys, emailKey) : undefined);
  return JSON.stringify({ type, timestamp: at, data: { sub: subject, ...contact } });
}
