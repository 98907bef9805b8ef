import { type Command, withMigratedDatabase } from "#cli/terminal/command.ts";
import { parseCount, parseDate } from "#cli/terminal/options.ts";
import { formatTable } from "#cli/terminal/table.ts";
import { type ActivityQuery, readActivity } from "#core/activity/activity.ts";
import { describeActivity } from "#core/activity/activity-text.ts";
import { formatDateTime } from "#core/text/format.ts";

export function addActivity(program: Command): void {
  program
    .subcommand("activity", "Show which operator did what and when")
    .option("--by <name>", "Only this operator's actions")
    .option("--on <date>", "Only actions on this day", parseDate)
    .option("--limit <count>", "Show at most this many entries", parseCount, 50)
    .notes(`
Lists changes made with the command line or the console, newest first. Entries
can't be changed. After a person is erased, no entry names them.`)
    .examples("", "--by ada@example.com --on 2026-11-30", "--limit 500 --json")
    .action(showActivity);
}

const showActivity = withMigratedDatabase(async (db, { limit, by, on }: ActivityQuery) => {
  const { entries } = await readActivity(db, { limit, by, on });
  const text = formatTable(
    entries.map((entry) => ({
      When: formatDateTime(entry.at),
      Who: entry.actor,
      From: entry.via,
      What: describeActivity(entry)
        .map(({ text }) => text)
        .join(""),
    })),
  );
  return { text: entries.length ? text : "No activity.", json: entries };
});
