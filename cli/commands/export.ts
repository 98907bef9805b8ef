import { pipeline } from "node:stream/promises";
import { type Command, Option } from "commander";
import { type CommandResult, withList } from "#cli/command.ts";
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
  addInvitedFilters(
    addFilters(program.command("export").description("the list as CSV or JSON Lines, in the order of joining")),
  )
    .addOption(new Option("--format <format>", "csv or jsonl").choices(["csv", "jsonl"]).default("csv"))
    .option("--bom", "begin with a byte order mark, by which Excel knows UTF-8")
    .option("--out <file>", "a file, readable by you alone, instead of standard output")
    .addHelpText(
      "after",
      `
Cells that a spreadsheet would take for a formula begin with an apostrophe.
All times are UTC.

Examples:
  npx waitlist export --out list.csv --bom
  npx waitlist export --newsletter --confirmed --format jsonl | gzip >news.jsonl.gz
  npx waitlist export --wave 12 --out wave.csv`,
    )
    .action(withList(exportList));
}

async function exportList(
  db: Database,
  { format, bom, out, ...filter }: ExportOptions,
): Promise<CommandResult | undefined> {
  const progress = showProgress(process.stderr.isTTY ? await countMatching(db, filter) : 0);
  const client = await db.pool.connect();
  let people = 0;
  async function* pieces(): AsyncGenerator<string | Buffer> {
    if (bom) yield "\uFEFF";
    if (format === "csv") yield CSV_HEADER;
    for await (const piece of await exportStream(db, client, filter, format)) {
      yield piece;
      const rows = countLines(piece);
      people += rows;
      progress.advance(rows);
    }
  }
  try {
    if (out) await writeAtomically(out, pieces());
    else await pipeline(pieces, process.stdout, { end: false }).catch(ignoreClosedPipe);
  } finally {
    progress.end();
    // Whatever is still being read ends with its connection.
    client.release(true);
  }
  return out ? { text: `Wrote ${pluralize(people, "person", "people")} to ${out}`, json: { people, out } } : undefined;
}

const LINE_FEED = 10;

/** No value on the list has a line break in it: names refuse control characters. */
function countLines(piece: Buffer): number {
  let lines = 0;
  for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

/** Whoever reads along, like head, has had enough. */
function ignoreClosedPipe(reason: NodeJS.ErrnoException): void {
  if (reason.code !== "EPIPE") throw reason;
}
