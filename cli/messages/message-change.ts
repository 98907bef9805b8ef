import type { Command, CommandResult } from "#cli/command.ts";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import type { Database } from "#core/database/connect.ts";
import { pluralize } from "#core/format.ts";
import { cancelMessage, IllegalTransition, pauseMessage, resumeMessage } from "#core/messages/message-states.ts";
import { type Message, readMessage } from "#core/messages/messages.ts";
import { MESSAGE_ID } from "./message-options.ts";
import { quote } from "./message-texts.ts";
import { withMessage } from "./with-message.ts";

export function addMessagePause(message: Command): void {
  message
    .command("pause")
    .description("Stop sending a message for now")
    .argument(...MESSAGE_ID)
    .notes(`
Emails that are already being sent still go out.

Example:
  npx waitlist message pause 12`)
    .action(pause);
}

export function addMessageResume(message: Command): void {
  message
    .command("resume")
    .description("Resume a paused message")
    .argument(...MESSAGE_ID)
    .notes(`
Example:
  npx waitlist message resume 12`)
    .action(resume);
}

export function addMessageCancel(message: Command): void {
  message
    .command("cancel")
    .description("Cancel a message, or discard a draft")
    .argument(...MESSAGE_ID)
    .option("--yes", "Skip the confirmation prompt")
    .notes(`
A canceled message can't be resumed. Emails that were sent can't be unsent, and
people whom it invited stay invited.

Example:
  npx waitlist message cancel 12`)
    .action(cancel);
}

const pause = withMessage(async (db, { id }) => {
  await pauseMessage(db, commandLineActor(), id);
  return describe(
    db,
    id,
    (pending) => `Paused message ${id}. ${pending} left. To resume:\n  npx waitlist message resume ${id}`,
  );
});

const resume = withMessage(async (db, { id }) => {
  await resumeMessage(db, commandLineActor(), id);
  return describe(db, id, (pending) => `Resumed message ${id}. ${pending} left.`);
});

const cancel = withMessage(async (db, { id, subject, state }, { yes }: { yes?: boolean }) => {
  if (state === "done" || state === "canceled") throw new IllegalTransition("cancel", state);
  if (!(await confirm(`Cancel message ${id}, ${quote(subject)}?`, yes))) {
    return { text: `Message ${id} wasn't canceled.`, json: { id, state }, isOk: false };
  }
  await cancelMessage(db, commandLineActor(), id);
  return describe(db, id, (pending, { waveId }) => {
    const text = `Canceled message ${id}. ${pending} won't get it.`;
    return waveId ? `${text} Everyone in wave ${waveId} stays invited.` : text;
  });
});

async function describe(
  db: Database,
  id: string,
  format: (pending: string, message: Message) => string,
): Promise<CommandResult> {
  const message = (await readMessage(db, id)) as Message;
  const { state, progress } = message;
  return { text: format(pluralize(progress.pending, "person", "people"), message), json: { id, state, progress } };
}
