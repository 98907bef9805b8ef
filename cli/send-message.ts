import { commandLineActor } from "#cli/actor.ts";
import { showProgress } from "#cli/terminal/progress.ts";
import type { Database } from "#core/database/connect.ts";
import { prepareMessage } from "#core/mail/audience.ts";
import { startMessage } from "#core/mail/message-states.ts";
import { type Message, readMessage } from "#core/mail/messages.ts";

/** Prepares a draft, unless that is done, and starts it. Shows progress toward the number of recipients. */
export async function sendMessage(db: Database, { id, preparedAt }: Message, recipients: number): Promise<Message> {
  if (!preparedAt) {
    const progress = showProgress(recipients);
    await prepareMessage(db, commandLineActor(), id, progress.advance).finally(progress.end);
  }
  await startMessage(db, commandLineActor(), id);
  return (await readMessage(db, id)) as Message;
}

/** Everyone in a message's audience. */
export function countRecipients({ progress }: Message): number {
  return Object.values(progress).reduce((sum, people) => sum + people, 0);
}
