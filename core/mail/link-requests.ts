import type { Database } from "#core/database/connect.ts";
import { DURABLE } from "#core/database/durability.ts";
import { CONFIRMATION, LINK, MAX_CONFIRMATIONS } from "./recipients.ts";

/**
 * Flags the person with this address for a mail with their link: the confirmation until they have confirmed. At most
 * one mail a day, no matter who asks or how often. Commits to the WAL in any case, so that an address that isn't on
 * the list takes as long as one that is.
 */
export async function requestLink(db: Database, emailKey: string, network: number): Promise<void> {
  await db.pool.query({
    name: "request-link",
    text: `
      with flagged as (
        update sign_ups set mail_due = true, mail_network = $2
        where email_key = $1 and rejected_at is null and not mail_due
          and not exists (
            select from deliveries
            where sign_up_id = sign_ups.id and message_id in (${CONFIRMATION}, ${LINK})
              and (
                (confirmed_at is null and copies >= ${MAX_CONFIRMATIONS})
                or greatest(queued_at, tried_at) >= now() - interval '24 hours'
              )
          )
      )
      select ${DURABLE}`,
    values: [emailKey, network],
  });
}
