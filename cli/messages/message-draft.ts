import { Option } from "commander";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { addFilters, parseCount, readFilter } from "#cli/terminal/options.ts";
import { readConfig } from "#core/config/config.ts";
import { splitAudience } from "#core/messages/audience.ts";
import { createMessage, type Draft, editMessage } from "#core/messages/messages.ts";
import type { Filter } from "#core/people/filter.ts";
import { AUDIENCE_FILTERS } from "#core/people/filter-fields.ts";
import { addPace, MESSAGE_ID, type PaceOptions, readBody, readPace, withMessage } from "./message-options.ts";
import { formatSplit } from "./message-texts.ts";

interface AudienceOptions extends Filter, PaceOptions {
  next?: number;
}

interface NewOptions extends AudienceOptions {
  subject: string;
  body: string;
  kind: Draft["kind"];
}

interface EditOptions extends AudienceOptions {
  subject?: string;
  /** The Markdown file. */
  body?: string;
  everyone?: boolean;
  /** False for --no-pace. */
  pace: boolean;
}

export function addMessageDrafts(message: Command): void {
  const create = message
    .subcommand("new", "Save a draft, and show who would get it")
    .requiredOption("--subject <text>", "Subject, on one line")
    .requiredOption("--body <file>", "Text, as a Markdown file")
    .addOption(
      new Option("--kind <kind>", "An invitation also marks its recipients as invited")
        .choices(["announcement", "invitation"])
        .default("announcement"),
    );
  addAudience(create)
    .notes(`
The filters choose the audience, and are applied again when you send. Without
--per-hour or --per-day, mail goes out as fast as MAIL_PER_MINUTE allows.

Subject and body can contain {{firstName}}, {{lastName}}, {{company}} and
{{email}}. Invitations can also contain {{inviteUrl}}, which needs INVITE_URL.`)
    .examples(
      '--subject "We\'re live" --body news.md',
      '--subject "Hi" --body hi.md --company Acme',
      '--subject "Hi" --body hi.md --per-hour 500',
    )
    .action(createDraft);
  const edit = message
    .subcommand("edit", "Change a draft")
    .argument(...MESSAGE_ID)
    .option("--subject <text>", "New subject, on one line")
    .option("--body <file>", "New text, as a Markdown file")
    .option("--everyone", "Remove all filters");
  addAudience(edit)
    .option("--no-pace", "Send it as fast as MAIL_PER_MINUTE allows")
    .notes(`
Options you leave out stay as they are, but new filters replace all earlier
ones, including --next. The kind can't be changed.

Examples:
  npx waitlist message edit 12 --subject "We're live today"
  npx waitlist message edit 12 --body news.md --per-hour 500
  npx waitlist message edit 12 --campaign launch --newsletter`)
    .action(editDraft);
}

function addAudience(command: Command): Command {
  command.option("--next <count>", "Invitations: only this many people, next in line", parseCount);
  return addPace(addFilters(command, AUDIENCE_FILTERS));
}

function readAudience(options: AudienceOptions) {
  return { ...readFilter(options), ...(options.next !== undefined && { next: options.next }) };
}

const createDraft = withMigratedDatabase(async (db, options: NewOptions) => {
  const { subject, body: file, kind } = options;
  const body = await readBody(file);
  const draft = { kind, subject, body, audience: readAudience(options), pace: readPace(options) };
  const created = await createMessage(db, commandLineActor(), draft, readConfig().invitations);
  if ("refused" in created) return created;
  const { id } = created;
  const split = await splitAudience(db, draft);
  return {
    text: `Saved message ${id} as a draft.\n\n${formatSplit(split)}\n
To send it to yourself first, then to its audience:
  npx waitlist message test ${id} <your address>
  npx waitlist message send ${id}`,
    json: { id, ...split },
  };
});

const editDraft = withMessage(async (db, message, options: EditOptions) => {
  const changes = await readChanges(options);
  if (Object.keys(changes).length === 0) throw new UsageError("Choose what to change, for example --subject.");
  const edited = await editMessage(db, commandLineActor(), message, changes, readConfig().invitations);
  if ("refused" in edited) return edited;
  const split = await splitAudience(db, edited);
  const { id } = edited;
  return { text: `Saved message ${id}, still a draft.\n\n${formatSplit(split)}`, json: { id, ...split } };
});

async function readChanges(options: EditOptions): Promise<Parameters<typeof editMessage>[3]> {
  const { subject, body, everyone, pace: keepsPace } = options;
  const pace = readPace(options);
  if (pace && !keepsPace) throw new UsageError("Choose a pace or --no-pace, not both.");
  const audience = readAudience(options);
  const hasFilters = Object.keys(audience).length > 0;
  if (everyone && hasFilters) throw new UsageError("Choose filters or --everyone, not both.");
  return {
    ...(subject !== undefined && { subject }),
    ...(body !== undefined && { body: await readBody(body) }),
    ...((everyone || hasFilters) && { audience }),
    ...((pace || !keepsPace) && { pace }),
  };
}
