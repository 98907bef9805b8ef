import { type Kysely, type Selectable, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Action } from "#core/activity/activity-text.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";

type StoredState = Selectable<Tables["messages"]>["state"];
/** A message that is scheduled is stored as sending, with a start in the future. */
export type MessageState = StoredState | "scheduled";

const TRANSITIONS = {
  start: { from: ["draft"], to: "sending", recorded: "send message" },
  // Mails that are already being sent still go out.
  pause: { from: ["sending"], to: "paused", recorded: "pause message" },
  resume: { from: ["paused"], to: "sending", recorded: "resume message" },
  // Can't be undone. Unsent deliveries stay pending and are never sent.
  cancel: { from: ["draft", "sending", "paused"], to: "canceled", recorded: "cancel message" },
} as const satisfies Record<string, { from: StoredState[]; to: StoredState; recorded: Action }>;

type Transition = keyof typeof TRANSITIONS;

/** The message's state doesn't allow the action, or the message doesn't exist. */
export class IllegalTransition extends Error {
  readonly state: string | undefined;

  constructor(action: Transition | "edit" | "prepare", state: string | undefined) {
    super(state ? `Can't ${action} a message that is ${state}.` : `Can't ${action} a message that doesn't exist.`);
    this.state = state;
  }
}

/** Throws, and so rolls back the transaction, if someone has edited the draft since the operator read it. */
export function requireVersion(action: "edit" | "start", version: number, read = version): void {
  if (version !== read) throw new IllegalTransition(action, "newer than the one you read, because someone edited it");
}

/**
 * Starts sending to the audience, which must be prepared, now or at a later time; or pauses, resumes or cancels. Throws
 * if the message was edited after the version that the operator read.
 */
export async function changeMessage(
  db: Database,
  actor: Actor,
  id: string,
  action: Transition,
  { read, at }: { read?: number; at?: Date | undefined } = {},
): Promise<void> {
  const { from, to, recorded } = TRANSITIONS[action];
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ waveId: string | null; version: number; people: number }>`
      update messages set
        state = ${to},
        started_at = case when ${to} = 'sending' then coalesce(started_at, greatest(${at ?? null}, now())) else started_at end,
        finished_at = case when ${to} = 'canceled' then now() end,
        -- The pace starts now or at the chosen time. Time before the start or during a pause isn't made up.
        next_release_at = greatest(next_release_at, ${at ?? null}, now())
      where id = ${id} and kind in ('invitation', 'announcement') and state = any(${[...from]}::text[])
        and (prepared_at is not null or ${action} <> 'start')
      returning wave_id as "waveId", version, (
        select sum(deliveries) from delivery_counts where message_id = messages.id
      )::integer as people`.execute(transaction);
    const [message] = rows;
    if (!message) throw new IllegalTransition(action, await describeState(transaction, id));
    requireVersion("start", message.version, read);
    const count = (action === "start" && message.people) || undefined;
    const entry = { action: at ? "schedule message" : recorded, message: id, wave: message.waveId, count } as const;
    await recordActivity(transaction, actor, entry);
  });
}

export async function describeState(db: Kysely<Tables>, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: MessageState; isPrepared: boolean }>`
    select state, prepared_at is not null as "isPrepared"
    from messages where id = ${id} and kind in ('invitation', 'announcement')`.execute(db);
  const [message] = rows;
  return message?.state === "draft" && !message.isPrepared ? "not prepared" : message?.state;
}
