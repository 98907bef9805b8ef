import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, negative, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { idParser, parseCount } from "#cli/terminal/options.ts";
import { formatTable } from "#cli/terminal/table.ts";
import { resendFor } from "#core/mail/queue/flag-mail.ts";
import { readMail } from "#core/mail/switch.ts";
import { dropQuarantined, readQuarantine, release } from "#core/sign-ups/quarantine.ts";
import { formatDate, pluralize } from "#core/text/format.ts";

const parseEntryId = idParser("To see IDs, run: npx waitlist quarantine list");
const parseEntryIds = (text: string, others: string[] = []) => [...others, parseEntryId(text)];

export function addQuarantine(program: Command): void {
  const quarantine = program
    .command("quarantine")
    .summary("Review sign-ups that the honeypot caught")
    .description(
      "Review sign-ups that the honeypot caught: most are bots, some are people whose browser filled in the hidden field.",
    )
    .examples("list", "release 12 15", "drop --older-than 30");
  quarantine
    .subcommand("list", "List the most recent entries")
    .option("--limit <count>", "Show at most this many entries", parseCount, 20)
    .examples("", "--limit 100")
    .action(list);
  quarantine
    .subcommand("release", "Add these people to the list, without the newsletter")
    .argument("<ids...>", 'Entry IDs from "waitlist quarantine list"', parseEntryIds)
    .notes(`
If they have joined since, their sign-up stays as it is.`)
    .examples("12 15")
    .action(releaseEntries);
  quarantine
    .subcommand("drop", "Permanently delete entries")
    .argument("[ids...]", 'Entry IDs from "waitlist quarantine list"', parseEntryIds)
    .option("--older-than <days>", "Delete all entries caught more than this many days ago", parseCount)
    .option("--yes", "Skip the confirmation prompt")
    .notes(`
Examples:
  npx waitlist quarantine drop 12 15

As a daily cleanup job:
  npx waitlist quarantine drop --older-than 30 --yes`)
    .action(drop);
}

const list = withMigratedDatabase(async (db, { limit }: { limit: number }) => {
  const caught = await readQuarantine(db, limit);
  const text = formatTable(
    caught.map(({ id, caught_at, first_name, last_name, email, website }) => ({
      ID: id,
      Caught: formatDate(caught_at),
      Name: `${first_name} ${last_name}`,
      Email: email,
      "Hidden field": website,
    })),
  );
  return { text: caught.length ? text : "The quarantine is empty.", json: caught };
});

const releaseEntries = withMigratedDatabase(async (db, ids: string[]) => {
  const { joined, known } = await release(db, commandLineActor(), ids, resendFor(await readMail(db)));
  const text = `Released ${pluralize(joined, "person", "people")}${known ? `; ${known} had already joined` : ""}.`;
  return joined + known > 0
    ? { text, json: { joined, known } }
    : negative("None of these IDs is in quarantine.", { joined, known });
});

type DropOptions = { olderThan?: number; yes?: boolean };

const drop = withMigratedDatabase(async (db, ids: string[], { olderThan, yes }: DropOptions) => {
  if (ids.length > 0 === (olderThan !== undefined)) {
    throw new UsageError("Choose entry IDs or --older-than 30, not both.");
  }
  const target = olderThan
    ? `all entries caught more than ${pluralize(olderThan, "day")} ago`
    : pluralize(ids.length, "entry", "entries");
  if (!(await confirm(`Permanently delete ${target}?`, yes))) {
    return negative("Canceled. Nothing was deleted.", { dropped: 0 });
  }
  const dropped = await dropQuarantined(db, commandLineActor(), olderThan ? { olderThanDays: olderThan } : ids);
  return { text: `Deleted ${pluralize(dropped, "entry", "entries")}.`, json: { dropped } };
});
