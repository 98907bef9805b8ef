import { type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { retryTransient } from "#core/database/transaction.ts";
import { InvalidMessage } from "#core/mail/rendering/placeholders.ts";
import { type Message, readMessage } from "./messages.ts";

/**
 * Creates a draft for everyone whom a canceled message didn't reach, with its text and wave. Their deliveries move to
 * the draft, so that nobody gets both, however often this is called. Mails that a worker may be sending stay.
 */
export async function draftForRest(db: Database, actor: Actor, canceled: string): Promise<Message> {
  const id = await retryTransient(() =>
    db.transaction().execute(async (transaction) => {
      const message = await moveRest(transaction, canceled);
      await recordActivity(transaction, actor, { action: "create message", message });
      return message;
    }),
  );
  return (await readMessage(db, id)) as Message;
}

async function moveRest(transaction: Kysely<Tables>, canceled: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into messages (kind, subject, body, audience, pace, pace_unit, wave_id, preparing_since, prepared_at)
    select kind, subject, body, audience, pace, pace_unit, wave_id, now(), now() from messages
    where id = ${canceled} and state = 'canceled' and kind in ('invitation', 'announcement')
    returning id`.execute(transaction);
  const [draft] = rows;
  const moved =
    draft &&
    (await sql`
      with moved as (
        update deliveries set state = 'skipped', reason = 'moved'
        where message_id = ${canceled} and state = 'pending' and coalesce(next_try_at, now()) <= now()
        returning sign_up_id
      )
      insert into deliveries (message_id, sign_up_id) select ${draft.id}, sign_up_id from moved`.execute(transaction));
  if (draft && moved?.numAffectedRows) return draft.id;
  throw new InvalidMessage("Nobody is left. If the message was canceled just now, try again in five minutes.");
}
