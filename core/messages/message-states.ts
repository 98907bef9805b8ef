import { sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Action } from "#core/activity/activity-text.ts";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import { REMINDER } from "#core/mail/recipients.ts";
import { illegal, lockMessage, NEWER, type StoredState } from "./message-lock.ts";
import { type Message, readMessage } from "./messages.ts";

const TRANSITIONS = {
  start: { from: ["draft"], to: "sending", recorded: "send message" },
  // Mails that are already being sent still go out.
  pause: { from: ["sending"], to: "paused", recorded: "pause message" },
  resume: { from: ["paused"], to: "sending", recorded: "resume message" },
  // Can't be undone. Unsent deliveries stay pending and are never sent.
  cancel: { from: ["not prepared", "draft", "sending", "paused"], to: "canceled", recorded: "cancel message" },
} as const satisfies Record<string, { from: (StoredState | "not prepared")[]; to: StoredState; recorded: Action }>;

/**
 * Starts sending to the prepared audience, now or later; or pauses, resumes or cancels. Refuses if the message was
 * edited after the version that the operator read.
 */
export async function changeMessage(
  db: Database,
  actor: Actor,
  id: string,
  action: keyof typeof TRANSITIONS,
  { read, at }: { read?: number; at?: Date | undefined } = {},
) {
  const { from, to } = TRANSITIONS[action];
  return db.transaction().execute(async (transaction) => {
    const isReminder = id === REMINDER && action !== "cancel";
    const message = await lockMessage(transaction, id, isReminder ? ["reminder"] : undefined);
    if (!from.some((state) => state === message?.state)) return illegal(action, id, message?.state);
    if (read !== undefined && message?.version !== read) return illegal("start", id, NEWER);
    const { rows } = await sql<{ waveId: string | null; people: number }>`
      update messages set
        state = ${to},
        started_at = case when ${to} = 'sending' then coalesce(started_at, greatest(${at ?? null}, now())) else started_at end,
        finished_at = case when ${to} = 'canceled' then now() end,
        -- The pace starts now or at the chosen time. Time before the start or during a pause isn't made up.
        next_release_at = greatest(next_release_at, ${at ?? null}, now())
      where id = ${id}
      returning wave_id as "waveId", (
        select sum(deliveries) from delivery_counts where message_id = messages.id
      )::integer as people`.execute(transaction);
    const { waveId, people } = onlyRow({ rows });
    const count = (action === "start" && people) || undefined;
    const switched = to === "sending" ? "turn on reminder" : "turn off reminder";
    const recorded = isReminder ? switched : at ? "schedule message" : TRANSITIONS[action].recorded;
    await recordActivity(transaction, actor, { action: recorded, message: id, wave: waveId, count });
    return (await readMessage(transaction, id)) as Message;
  });
}
