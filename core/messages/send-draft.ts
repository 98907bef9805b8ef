import { sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { retryTransient } from "#core/database/transaction.ts";
import { SET_ASIDE } from "#core/mail/recipients.ts";
import { type Invalid, invalid } from "#core/mail/rendering/placeholders.ts";
import type { MailOn } from "#core/mail/switch.ts";
import { prepareMessage, splitAudience } from "./audience.ts";
import type { Refusal } from "./message-lock.ts";
import { changeMessage } from "./message-states.ts";
import { type Message, readMessage } from "./messages.ts";

/**
 * Counts a draft's recipients, and how many of them an interrupted run has already added. `split` covers everyone else;
 * it is null once the audience is complete.
 */
export async function readDraftAudience(db: Database, { kind, audience, preparedAt, progress }: Message) {
  if (preparedAt) return { recipients: progress.pending, added: progress.pending, split: null };
  const added = kind === "invitation" ? progress.pending : 0;
  const { next } = audience;
  const rest = next === undefined ? audience : { ...audience, next: next - added };
  const split = await splitAudience(db, { kind, audience: rest });
  return { recipients: split.recipients + added, added, split };
}

/** Prepares a draft's audience, unless it is prepared already, and starts sending, now or at a later time. */
export async function sendDraft(
  db: Database,
  _mail: MailOn,
  actor: Actor,
  { id, version, preparedAt }: Message,
  at?: Date,
): Promise<Message | Refusal> {
  if (at && at <= new Date()) return invalid("That time has passed. Choose a later one.");
  const refusal = preparedAt ? undefined : await prepareMessage(db, actor, id, version);
  return refusal ?? changeMessage(db, actor, id, "start", { read: version, at });
}

/**
 * Creates a draft for everyone whom a canceled message didn't reach, with its text and wave. Their deliveries move to
 * the draft, so that nobody gets both, however often this is called. Mails that a worker may be sending stay.
 */
export async function draftForRest(db: Database, actor: Actor, canceled: string): Promise<Message | Invalid> {
  const move = sql<{ id: string }>`
    with moved as (
      update deliveries set state = 'skipped', reason = 'moved' from messages
      where messages.id = ${canceled} and messages.state = 'canceled' and message_id = ${canceled}
        and deliveries.state = 'pending' and (coalesce(next_try_at, now()) <= now() or reason = ${SET_ASIDE})
      returning sign_up_id
    ), draft as (
      insert into messages (kind, subject, body, audience, pace, pace_unit, wave_id, preparing_since, prepared_at)
      select kind, subject, body, audience, pace, pace_unit, wave_id, now(), now() from messages
      where id = ${canceled} and exists (select from moved) returning id
    ), added as (
      insert into deliveries (message_id, sign_up_id) select id, sign_up_id from draft, moved
    )
    select id from draft`;
  return retryTransient(() =>
    db.transaction().execute(async (transaction) => {
      const [draft] = (await move.execute(transaction)).rows;
      if (!draft) return invalid("Nobody is left, or their mail is being sent. Try again later.");
      await recordActivity(transaction, actor, { action: "create message", message: draft.id });
      return (await readMessage(transaction, draft.id)) as Message;
    }),
  );
}
