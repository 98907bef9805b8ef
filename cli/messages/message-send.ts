import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, negative } from "#cli/terminal/command.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { parseDate } from "#cli/terminal/options.ts";
import { requireMail } from "#cli/terminal/settings.ts";
import type { Database } from "#core/database/connect.ts";
import { illegal, type Refusal } from "#core/messages/message-lock.ts";
import { changeMessage } from "#core/messages/message-states.ts";
import type { Message } from "#core/messages/messages.ts";
import { readDraftAudience, sendDraft } from "#core/messages/send-draft.ts";
import { formatDateTime, pluralize } from "#core/text/format.ts";
import { MESSAGE_ID, withMessage } from "./message-options.ts";
import { formatPace, formatSplit, howToFollow, quote } from "./message-texts.ts";

export function addMessageSending(message: Command): void {
  message
    .subcommand("send", "Send a draft to its audience")
    .argument(...MESSAGE_ID)
    .option("--at <time>", "Send it at this time (UTC, 2026-11-30T09:00) instead of now", parseDate)
    .option("--dry-run", "Show who would get it, without sending it")
    .option("--yes", "Skip the confirmation prompt")
    .notes(`
Adds all recipients to the audience, and starts the message. The mail workers
then send it. Anyone who unsubscribes before their turn gets nothing. If you
interrupt this command, run it again: nobody gets a message twice. With --at,
too, the audience is chosen now.`)
    .examples("12 --dry-run", "12", "12 --at 2026-11-30T09:00")
    .action(send);
  message
    .subcommand("pause", "Stop sending a message for now")
    .argument(...MESSAGE_ID)
    .notes(`
Emails that are already being sent still go out.`)
    .examples("12")
    .action(pause);
  message
    .subcommand("resume", "Resume a paused message")
    .argument(...MESSAGE_ID)
    .examples("12")
    .action(resume);
  message
    .subcommand("cancel", "Cancel a message, or discard a draft")
    .argument(...MESSAGE_ID)
    .option("--yes", "Skip the confirmation prompt")
    .notes(`
A canceled message can't be resumed. Emails that were sent can't be unsent, and
people whom it invited stay invited.`)
    .examples("12")
    .action(cancel);
}

const send = withMessage(async (db, message, { at, dryRun, yes }: { at?: Date; dryRun?: boolean; yes?: boolean }) => {
  const { id, subject, state } = message;
  if (state !== "draft") return illegal("start", id, state);
  await requireMail(db);
  const { recipients, summary } = await summarizeAudience(db, message);
  if (recipients === 0) {
    return negative(`${summary}\n\nNobody would get this message. It is still a draft.`, { id, recipients });
  }
  const people = pluralize(recipients, "person", "people");
  const pace = `${at ? `from ${formatDateTime(at)} UTC, ` : ""}${formatPace(message.pace)}`;
  if (dryRun) {
    const text = `${summary}\n\nDry run: ${people} would get ${quote(subject)}, ${pace}.`;
    return { text, json: { id, wouldSend: recipients } };
  }
  if (!(await confirm(`Send ${quote(subject)} to ${people}, ${pace}?`, yes, summary))) {
    return negative(`Canceled. Message ${id} is still a draft.`, { id, recipients: 0 });
  }
  const started = await sendMessage(db, message, at);
  if ("refused" in started) return started;
  const total = countRecipients(started);
  return {
    text: `Message ${id} goes to ${pluralize(total, "person", "people")}, ${pace}. ${howToFollow(id)}`,
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

export async function sendMessage(db: Database, message: Message, at?: Date) {
  return sendDraft(db, await requireMail(db), commandLineActor(), message, at);
}

export function countRecipients({ progress }: Message): number {
  return Object.values(progress).reduce((sum, people) => sum + people, 0);
}

const pause = withMessage(async (db, { id }) =>
  describe(
    await changeMessage(db, commandLineActor(), id, "pause"),
    (pending) => `Paused message ${id}. ${pending} left. To resume:\n  npx waitlist message resume ${id}`,
  ),
);

const resume = withMessage(async (db, { id }) =>
  describe(await changeMessage(db, commandLineActor(), id, "resume"), (left) => `Resumed message ${id}. ${left} left.`),
);

const cancel = withMessage(async (db, { id, subject, state }, { yes }: { yes?: boolean }) => {
  if (state === "done" || state === "canceled") return illegal("cancel", id, state);
  if (!(await confirm(`Cancel message ${id}, ${quote(subject)}?`, yes))) {
    return negative(`Message ${id} wasn't canceled.`, { id, state });
  }
  return describe(await changeMessage(db, commandLineActor(), id, "cancel"), (pending, waveId) => {
    const text = `Canceled message ${id}. ${pending} won't get it.`;
    return waveId ? `${text} Everyone in wave ${waveId} stays invited.` : text;
  });
});

function describe(changed: Message | Refusal, format: (pending: string, waveId: string | null) => string) {
  if ("refused" in changed) return changed;
  const { id, state, progress, waveId } = changed;
  return { text: format(pluralize(progress.pending, "person", "people"), waveId), json: { id, state, progress } };
}
