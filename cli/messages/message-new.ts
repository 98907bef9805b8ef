import { type Command, Option } from "commander";
import { type CommandResult, withMigratedDatabase } from "#cli/command.ts";
import { addFilters, parseCount, readFilter } from "#cli/options.ts";
import { readInviteLinks } from "#cli/settings.ts";
import { commandLineActor } from "#cli/terminal/actor.ts";
import type { Database } from "#core/database/connect.ts";
import type { MessageText } from "#core/mail/rendering/render.ts";
import { splitAudience } from "#core/messages/audience.ts";
import { createMessage } from "#core/messages/messages.ts";
import type { Filter } from "#core/people/filter.ts";
import { AUDIENCE_FILTERS } from "#core/people/filter-fields.ts";
import { addPace, type PaceOptions, readBody, readPace } from "./message-options.ts";
import { formatSplit } from "./message-texts.ts";

interface NewOptions extends Filter, PaceOptions {
  subject: string;
  body: string;
  kind: MessageText["kind"];
  next?: number;
}

export function addMessageNew(message: Command): void {
  const command = message
    .command("new")
    .description("Save a draft, and show who would get it")
    .requiredOption("--subject <text>", "Subject, on one line")
    .requiredOption("--body <file>", "Text, as a Markdown file")
    .addOption(
      new Option("--kind <kind>", "An invitation also marks its recipients as invited")
        .choices(["announcement", "invitation"])
        .default("announcement"),
    )
    .option("--next <count>", "Invitations: only this many people, in the order they joined", parseCount);
  addPace(addFilters(command, AUDIENCE_FILTERS))
    .addHelpText(
      "after",
      `
The filters choose the audience, and are applied again when you send. Without
--per-hour or --per-day it is sent as fast as MAIL_PER_MINUTE allows.

Subject and body can contain {{firstName}}, {{lastName}}, {{company}} and
{{email}}; invitations also {{inviteUrl}}, which needs INVITE_URL.

Examples:
  npx waitlist message new --subject "We're live" --body news.md
  npx waitlist message new --subject "Hi" --body hi.md --company Acme
  npx waitlist message new --subject "Hi" --body hi.md --per-hour 500`,
    )
    .action(withMigratedDatabase(createDraft));
}

async function createDraft(db: Database, options: NewOptions): Promise<CommandResult> {
  const { subject, body: file, kind, next } = options;
  const text = { kind, subject, body: await readBody(file) };
  const audience = { ...readFilter(options), ...(next !== undefined && { next }) };
  const pace = readPace(options);
  const { id } = await createMessage(db, commandLineActor(), { ...text, audience, pace }, readInviteLinks(text));
  const split = await splitAudience(db, { kind, audience });
  return {
    text: `Saved message ${id} as a draft.\n\n${formatSplit(split)}\n
To send it to yourself first, then to them:
  npx waitlist message test ${id} <your address>
  npx waitlist message send ${id}`,
    json: { id, ...split },
  };
}
