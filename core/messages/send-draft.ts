import type { Actor } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { InvalidMessage } from "#core/mail/rendering/placeholders.ts";
import { prepareMessage, splitAudience } from "./audience.ts";
import { startMessage } from "./message-states.ts";
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
  actor: Actor,
  { id, version, preparedAt }: Message,
  { at, onAdded }: { at?: Date | undefined; onAdded?: (people: number) => void } = {},
): Promise<Message> {
  if (at && at <= new Date()) throw new InvalidMessage("That time has passed. Choose a later one.");
  if (!preparedAt) await prepareMessage(db, actor, id, onAdded, version);
  await startMessage(db, actor, id, version, at);
  return (await readMessage(db, id)) as Message;
}
