import { pipeline } from "node:stream/promises";
import { type Command, Option } from "commander";
import { type CommandResult, withMigratedDatabase } from "#cli/command.ts";
import { addFilters, addInvitedFilters } from "#cli/options.ts";
import { showProgress } from "#cli/terminal/progress.ts";
import { writeAtomically } from "#cli/write-atomically.ts";
import type { Database } from "#core/database/connect.ts";
import { pluralize } from "#core/format.ts";
import { CSV_HEADER, exportStream, type Format } from "#core/waitlist/export-stream.ts";
import { countMatching, type Filter } from "#core/waitlist/filter.ts";

interface ExportOptions extends Filter {
  format: Format;
  bom?: boolean;
  out?: string;
}

export function addExport(program: Command): void {
  addInvitedFilters(addFilters(program.command("export").description("Export the list as CSV or JSON Lines")))
    .addOption(new Option("--format <format>", "File format").choices(["csv", "jsonl"]).default("csv"))
    .option("--bom", "Start with a byte order mark so Excel detects UTF-8")
    .option("--out <file>", "Write to a file only you can read (default: standard output)")
    .addHelpText(
      "after",
      `
Rows are in the order people joined. All times are UTC. Cells that a
spreadsheet would run as a formula start with an apostrophe. For JSON rows use
--format jsonl; --json only changes the summary printed with --out.

Examples:
  npx waitlist export --out list.csv --bom
  npx waitlist export --newsletter --confirmed --format jsonl | gzip >news.gz
  npx waitlist export --wave 12 --out wave-12.csv`,
    )
    .action(withMigratedDatabase(exportList));
}

async function exportList(
  db: Database,
  { format, bom, out, ...filter }: ExportOptions,
): Promise<CommandResult | undefined> {
  const progress = showProgress(process.stderr.isTTY ? await countMatching(db, filter) : 0);
  const client = await db.pool.connect();
  let people = 0;
  async function* chunks(): AsyncGenerator<string | Buffer> {
    if (bom) yield "\uFEFF";
    if (format === "csv") yield CSV_HEADER;
    for await (const chunk of await exportStream(db, client, filter, format)) {
      yield chunk;
      const rows = countLines(chunk);
      people += rows;
      progress.advance(rows);
    }
  }
  try {
    if (out) await writeAtomically(out, chunks());
    else await pipeline(chunks, process.stdout, { end: false }).catch(ignoreClosedPipe);
  } finally {
    progress.end();
    // Closing the connection ends a query that is still running.
    client.release(true);
  }
  return out
    ? { text: `Exported ${pluralize(people, "person", "people")} to ${out}`, json: { people, out } }
    : undefined;
}

const LINE_FEED = 10;

/** Counting line feeds counts rows: the contract rejects control characters, so no value has a line break. */
function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

/** The reader, such as `head`, has closed the pipe early. */
function ignoreClosedPipe(reason: NodeJS.ErrnoException): void {
  if (reason.code !== "EPIPE") throw reason;
}
