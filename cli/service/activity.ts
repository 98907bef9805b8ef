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
Lists changes made with the command line or the console, newest first. Entries
can't be changed. After a person is erased, no entry names them.

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
    // Not truncated, because the last column has sentences, which the terminal can wrap.
    { width: Number.POSITIVE_INFINITY },
  );
  return { text: entries.length ? text : "No activity yet.", json: entries };
});

function formatAction(entry: Parameters<typeof describeActivity>[0]): string {
  const { before, person, after } = describeActivity(entry);
  return [before, person, after].filter(Boolean).join(" ");
}
