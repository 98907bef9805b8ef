import type { Command } from "commander";
import { type CommandResult, UsageError } from "#cli/command.ts";
import { addFilters, parseCount, readFilter } from "#cli/options.ts";
import { readInviteLinks } from "#cli/settings.ts";
import { commandLineActor } from "#cli/terminal/actor.ts";
import type { Database } from "#core/database/connect.ts";
import { splitAudience } from "#core/messages/audience.ts";
import { type Draft, editMessage, type Message } from "#core/messages/messages.ts";
import type { Filter } from "#core/people/filter.ts";
import { AUDIENCE_FILTERS } from "#core/people/filter-fields.ts";
import { addPace, type PaceOptions, parseMessageId, readBody, readPace } from "./message-options.ts";
import { formatSplit } from "./message-texts.ts";
import { withMessage } from "./with-message.ts";

interface EditOptions extends Filter, PaceOptions {
  subject?: string;
  /** The Markdown file. */
  body?: string;
  next?: number;
  everyone?: boolean;
  /** False for --no-pace. */
  pace: boolean;
}

type Changes = Partial<Omit<Draft, "kind">>;

export function addMessageEdit(message: Command): void {
  const command = message
    .command("edit")
    .description("Change a draft")
    .argument("<id>", 'Message ID from "waitlist message status"', parseMessageId)
    .option("--subject <text>", "New subject, on one line")
    .option("--body <file>", "New text, as a Markdown file")
    .option("--everyone", "Remove all filters")
    .option("--next <count>", "Invitations: only this many people, in the order they joined", parseCount);
  addPace(addFilters(command, AUDIENCE_FILTERS))
    .option("--no-pace", "Send it as fast as MAIL_PER_MINUTE allows")
    .addHelpText(
      "after",
      `
What you don't name stays as it is, but filters replace all earlier ones,
--next included. The kind can't be changed.

Examples:
  npx waitlist message edit 12 --subject "We're live today"
  npx waitlist message edit 12 --body news.md --per-hour 500
  npx waitlist message edit 12 --campaign launch --newsletter`,
    )
    .action(withMessage(edit));
}

async function edit(db: Database, message: Message, options: EditOptions): Promise<CommandResult> {
  const changes = await readChanges(options);
  if (Object.keys(changes).length === 0) throw new UsageError("Name what to change, for example --subject.");
  const links = readInviteLinks({ ...message, ...changes });
  const { id, kind, audience } = await editMessage(db, commandLineActor(), message.id, changes, links);
  const split = await splitAudience(db, { kind, audience });
  return { text: `Saved message ${id}, still a draft.\n\n${formatSplit(split)}`, json: { id, ...split } };
}

async function readChanges(options: EditOptions): Promise<Changes> {
  const { subject, body, next, everyone, pace: keepsPace } = options;
  const pace = readPace(options);
  if (pace && !keepsPace) throw new UsageError("Choose a pace or --no-pace, not both.");
  const audience = { ...readFilter(options), ...(next !== undefined && { next }) };
  const hasFilters = Object.keys(audience).length > 0;
  if (everyone && hasFilters) throw new UsageError("Choose filters or --everyone, not both.");
  return {
    ...(subject !== undefined && { subject }),
    ...(body !== undefined && { body: await readBody(body) }),
    ...((everyone || hasFilters) && { audience }),
    ...((pace || !keepsPace) && { pace }),
  };
}
