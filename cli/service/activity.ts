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
Newest first. The command line and the console make entries, which can't be
changed. An entry about an erased person no longer names them.

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
