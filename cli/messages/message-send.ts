import type { Command } from "#cli/command.ts";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { showProgress } from "#cli/terminal/progress.ts";
import type { Database } from "#core/database/connect.ts";
import { pluralize } from "#core/format.ts";
import { IllegalTransition } from "#core/messages/message-states.ts";
import type { Message } from "#core/messages/messages.ts";
import { readDraftAudience, sendDraft } from "#core/messages/send-draft.ts";
import { MESSAGE_ID } from "./message-options.ts";
import { formatPace, formatSplit, howToFollow, quote } from "./message-texts.ts";
import { withMessage } from "./with-message.ts";

export function addMessageSend(message: Command): void {
  message
    .command("send")
    .description("Send a draft to its audience")
    .argument(...MESSAGE_ID)
    .option("--dry-run", "Show who would get it, without sending it")
    .option("--yes", "Skip the confirmation prompt")
    .notes(`
Adds all recipients to the audience, and starts the message. The mail workers
then send it. Anyone who unsubscribes before that gets nothing. If you interrupt
this command, run it again: nobody gets a message twice.

Examples:
  npx waitlist message send 12 --dry-run
  npx waitlist message send 12`)
    .action(send);
}

const send = withMessage(async (db, message, { dryRun, yes }: { dryRun?: boolean; yes?: boolean }) => {
  const { id, subject, state, pace } = message;
  if (state !== "draft") throw new IllegalTransition("start", state);
  const { recipients, summary } = await summarizeAudience(db, message);
  if (recipients === 0) {
    return {
      text: `${summary}\n\nNobody would get this message. It is still a draft.`,
      json: { id, recipients },
      isOk: false,
    };
  }
  const people = pluralize(recipients, "person", "people");
  if (dryRun) {
    const text = `${summary}\n\nDry run: ${people} would get ${quote(subject)}, ${formatPace(pace)}.`;
    return { text, json: { id, wouldSend: recipients } };
  }
  if (!(await confirm(`Send ${quote(subject)} to ${people}, ${formatPace(pace)}?`, yes, summary))) {
    return { text: `Canceled. Message ${id} is still a draft.`, json: { id, recipients: 0 }, isOk: false };
  }
  const started = await sendMessage(db, message, recipients);
  const total = countRecipients(started);
  return {
    text: `Message ${id} goes to ${pluralize(total, "person", "people")}, ${formatPace(pace)}. ${howToFollow(id)}`,
    json: { id, state: started.state, recipients: total, waveId: started.waveId },
  };
});

async function summarizeAudience(db: Database, message: Message) {
  const { recipients, added, split } = await readDraftAudience(db, message);
  const already = pluralize(added, "person", "people");
  if (!split) return { recipients, summary: `Already in its audience: ${already}.` };
  const summary = formatSplit(split);
  return { recipients, summary: added ? `${summary}\n\nIn addition, already in its audience: ${already}.` : summary };
}

/** Sends a draft, and shows progress toward the number of recipients. */
export async function sendMessage(db: Database, message: Message, recipients: number): Promise<Message> {
  const progress = showProgress(recipients);
  return sendDraft(db, commandLineActor(), message, progress.advance).finally(progress.end);
}

/** Everyone in a message's audience. */
export function countRecipients({ progress }: Message): number {
  return Object.values(progress).reduce((sum, people) => sum + people, 0);
}
