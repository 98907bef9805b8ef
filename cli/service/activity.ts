import { type Command, withMigratedDatabase } from "#cli/command.ts";
import { parseCount } from "#cli/options.ts";
import { formatTable } from "#cli/terminal/table.ts";
import { readActivity } from "#core/activity.ts";
import { describeActivity } from "#core/activity-text.ts";
import { formatDateTime } from "#core/format.ts";

export function addActivity(program: Command): void {
  program
    .command("activity")
    .description("Show which operator did what and when")
    .option("--limit <count>", "Show at most this many entries", parseCount, 50)
    .notes(`
Newest first. Entries are made by the command line and the console, and can't
be changed. Of people who were erased, nothing but the entry remains.

Examples:
  npx waitlist activity
  npx waitlist activity --limit 500 --json`)
    .action(showActivity);
}

const showActivity = withMigratedDatabase(async (db, { limit }: { limit: number }) => {
  const { entries } = await readActivity(db, { limit });
  const text = formatTable(
    entries.map((entry) => ({
      When: formatDateTime(entry.at),
      Who: entry.actor,
      From: entry.via,
      What: formatAction(entry),
    })),
    // Not cut to the terminal, which wraps the sentences at the end of long lines.
    { width: Number.POSITIVE_INFINITY },
  );
  return { text: entries.length ? text : "No activity yet.", json: entries };
});

function formatAction(entry: Parameters<typeof describeActivity>[0]): string {
  const { before, person, after } = describeActivity(entry);
  return [before, person, after].filter(Boolean).join(" ");
}
