import { open, stat } from "node:fs/promises";
import { Argument, Option } from "commander";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, negative, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { parseDate } from "#cli/terminal/options.ts";
import { formatKeyValueList } from "#cli/terminal/table.ts";
import { writeChunks } from "#cli/terminal/write-chunks.ts";
import type { Database } from "#core/database/connect.ts";
import { resumeSource } from "#core/mail/events/resume-source.ts";
import {
  IMPORT_STATES,
  type ImportedSuppressions,
  type ImportState,
  importSuppressions,
  suppressionsFile,
} from "#core/mail/suppression/suppressions.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";

export function addSuppressions(program: Command): void {
  const suppressions = program
    .subcommand("suppressions", "Exchange bounces, complaints and unsubscribes with a mail provider, as CSV.")
    .summary("Import and export bounces and unsubscribes")
    .examples("import bounces.csv --as bounced --dry-run", "export --out suppressions.csv");
  suppressions
    .subcommand("import", "Mark people on the list whose address is in a CSV file")
    .argument("<file>", "CSV file with a column of email addresses")
    .addOption(new Option("--as <state>", "What to mark them as").choices(IMPORT_STATES).makeOptionMandatory())
    .option("--dry-run", "Show how many people would be marked, without marking them")
    .option("--yes", "Skip the confirmation prompt")
    .notes(`
bounced: these addresses are suppressed and get no more mail.
complained: as bounced and unsubscribed.
unsubscribed: these people get no newsletter, and the consent ledger records
that they withdrew. No command undoes that.
accepted: for addresses suppressed by mistake. They get mail again.

Bounces and complaints count for the last email to that address, if it was sent
in the last 30 days.

The file may have a header with a column named email, address or recipient.
Without a header, the first column with an address is used. Other columns are
ignored. Separators may be commas, semicolons or tabs.`)
    .examples("bounces.csv --as bounced --dry-run", "optouts.csv --as unsubscribed --yes")
    .action(importFile);
  suppressions
    .subcommand("export", "Export suppressed and unsubscribed addresses as CSV")
    .option("--out <file>", "Write to a file only you can read (default: standard output)")
    .notes(`
Columns: email, reason (suppressed or unsubscribed) and time
(UTC). Someone who is both has two rows. People who never subscribed aren't
included. An address is suppressed if it bounced, complained, or an operator
suppressed it.`)
    .examples("--out suppressions.csv")
    .action(exportSuppressions);
  suppressions
    .subcommand("resume", "Accept a mail provider's events again, after they suppressed too many people")
    .addArgument(new Argument("<source>", "Mail provider").choices(["ses", "postmark", "resend", "generic"]))
    .option("--undo-since <date>", "First undo its bounces and complaints since this time (UTC)", parseDate)
    .notes(`
If the events weren't real, replace the provider's secret before you undo them.`)
    .examples("ses --undo-since 2026-11-30T18:00")
    .action(resume);
}

interface ImportOptions {
  as: ImportState;
  dryRun?: boolean;
  yes?: boolean;
}

const importFile = withMigratedDatabase(async (db, file: string, { as, dryRun, yes }: ImportOptions) => {
  if (dryRun || !yes) {
    // A pipe can't be read again after the prompt.
    if (!dryRun && !(await stat(file)).isFile()) {
      throw new UsageError(`${file} isn't a regular file. Add --yes to import it without a prompt.`);
    }
    const counts = await readFileInto(db, file, as, true);
    const left = counts.onList - counts.already;
    const people = pluralize(left, "person", "people");
    const table = formatCounts(counts, as);
    if (dryRun) return { text: `${table}\n\nDry run: ${people} would be marked as ${as}.`, json: counts };
    if (left === 0) return { text: `${table}\n\nNothing to do.`, json: counts };
    if (!(await confirm(`Mark ${people} as ${as}?`, yes, table))) {
      return negative("Canceled. Nobody was marked.", counts);
    }
  }
  const counts = await readFileInto(db, file, as, false);
  const text = `Marked ${pluralize(counts.changed, "person", "people")} as ${as}.`;
  return { text: yes ? `${formatCounts(counts, as)}\n\n${text}` : text, json: counts };
});

async function readFileInto(db: Database, file: string, as: ImportState, isDryRun: boolean) {
  // Opened here, because createReadStream(file) would emit a missing file's error before anyone listens.
  const handle = await open(file);
  const stream = handle.createReadStream({ encoding: "utf8" });
  try {
    if ((await handle.stat()).isDirectory()) throw new UsageError(`${file} is a directory.`);
    const counts = await importSuppressions(db, commandLineActor(), stream, as, { isDryRun });
    if ("unreadable" in counts) throw new UsageError(`Can't read ${file}: ${counts.unreadable}.`);
    return counts;
  } finally {
    stream.destroy();
  }
}

const ALREADY: Record<ImportState, string> = {
  bounced: "Already suppressed",
  complained: "Already suppressed, not subscribed",
  unsubscribed: "Already not subscribed",
  accepted: "Already not suppressed",
};

function formatCounts({ addresses, onList, already, notOnList, invalid }: ImportedSuppressions, as: ImportState) {
  return formatKeyValueList({
    "Addresses in the file": formatNumber(addresses),
    "On the list": formatNumber(onList),
    [ALREADY[as]]: formatNumber(already),
    "Not on the list": formatNumber(notOnList),
    ...(invalid > 0 && { "Rows without an address": formatNumber(invalid) }),
  });
}

const exportSuppressions = withMigratedDatabase(async (db, { out }: { out?: string }) => {
  let suppressions = 0;
  const file = suppressionsFile(db, commandLineActor(), (rows) => {
    suppressions += rows;
  });
  await writeChunks(file, out);
  if (!out) return undefined;
  return { text: `Exported ${pluralize(suppressions, "suppression")} to ${out}`, json: { suppressions, out } };
});

const resume = withMigratedDatabase(async (db, source: string, { undoSince }: { undoSince?: Date }) => {
  const undone = await resumeSource(db, commandLineActor(), source, undoSince ?? null);
  const reports = pluralize(undone, "bounce or complaint", "bounces and complaints");
  return { text: `Undid ${reports}. Events from ${source} are accepted.`, json: { undone } };
});
