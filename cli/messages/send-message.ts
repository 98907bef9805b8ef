import { commandLineActor } from "#cli/terminal/actor.ts";
import { showProgress } from "#cli/terminal/progress.ts";
import type { Database } from "#core/database/connect.ts";
import type { Message } from "#core/messages/messages.ts";
import { sendDraft } from "#core/messages/send-draft.ts";

/** Sends a draft, and shows progress toward the number of recipients. */
export async function sendMessage(db: Database, message: Message, recipients: number): Promise<Message> {
  const progress = showProgress(recipients);
  return sendDraft(db, commandLineActor(), message, progress.advance).finally(progress.end);
}

/** Everyone in a message's audience. */
export function countRecipients({ progress }: Message): number {
  return Object.values(progress).reduce((sum, people) => sum + people, 0);
}
