import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";

export type MessageState = "draft" | "sending" | "paused" | "done" | "canceled";

/** What an operator can do with a message, the states in which they can, and the state that follows. */
const TRANSITIONS = {
  start: { from: ["draft"], to: "sending" },
  pause: { from: ["sending"], to: "paused" },
  resume: { from: ["paused"], to: "sending" },
  cancel: { from: ["draft", "sending", "paused"], to: "canceled" },
} as const satisfies Record<string, { from: MessageState[]; to: MessageState }>;

type Transition = keyof typeof TRANSITIONS;

/** The message isn't in a state in which this can be done, or it doesn't exist. */
export class IllegalTransition extends Error {
  readonly state: string | undefined;

  constructor(action: Transition | "edit" | "prepare", state: string | undefined) {
    super(state ? `Can't ${action} a message that is ${state}.` : `Can't ${action} a message that doesn't exist.`);
    this.state = state;
  }
}

/** Sends it to everyone in its audience, which must be prepared. */
export const startMessage = (db: Database, id: string) => change(db, id, "start");

/** Mails that are being sent this second still go out. */
export const pauseMessage = (db: Database, id: string) => change(db, id, "pause");

export const resumeMessage = (db: Database, id: string) => change(db, id, "resume");

/** For good. What wasn't sent stays pending and never is. */
export const cancelMessage = (db: Database, id: string) => change(db, id, "cancel");

async function change(db: Database, id: string, action: Transition): Promise<void> {
  const { from, to } = TRANSITIONS[action];
  const { rows } = await sql`
    update messages set
      state = ${to},
      started_at = case when ${to} = 'sending' then coalesce(started_at, now()) else started_at end,
      finished_at = case when ${to} = 'canceled' then now() end,
      -- A pace starts now: the time before it, or the pause, isn't made up for.
      next_release_at = greatest(next_release_at, now())
    where id = ${id} and kind in ('invitation', 'announcement') and state = any(${[...from]}::text[])
      and (prepared_at is not null or ${action} <> 'start')
    returning id`.execute(db);
  if (rows.length === 0) throw new IllegalTransition(action, await describeState(db, id));
}

export async function describeState(db: Database, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: MessageState; isPrepared: boolean }>`
    select state, prepared_at is not null as "isPrepared"
    from messages where id = ${id} and kind in ('invitation', 'announcement')`.execute(db);
  const [message] = rows;
  return message?.state === "draft" && !message.isPrepared ? "not prepared" : message?.state;
}
