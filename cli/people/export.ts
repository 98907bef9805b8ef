import { Option } from "commander";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, withMigratedDatabase } from "#cli/terminal/command.ts";
import { addFilters, readFilter } from "#cli/terminal/options.ts";
import { readLinkSettings } from "#cli/terminal/settings.ts";
import { writeChunks } from "#cli/terminal/write-chunks.ts";
import { LINK_LIFETIME_DAYS, memberLink } from "#core/links/links.ts";
import type { Filter } from "#core/people/filter.ts";
import { FILTER_NAMES } from "#core/people/filter-fields.ts";
import { pluralize } from "#core/text/format.ts";
import { exportFile, type Format, type LinkOf } from "#core/transfer/export-file.ts";

interface ExportOptions extends Filter {
  format: Format;
  bom?: boolean;
  link?: boolean;
  out?: string;
}

export function addExport(program: Command): void {
  addFilters(program.subcommand("export", "Export the list as CSV or JSON Lines"), FILTER_NAMES)
    .addOption(new Option("--format <format>", "File format").choices(["csv", "jsonl"]).default("csv"))
    .option("--bom", "Start with a byte order mark so Excel detects UTF-8")
    .option("--link", "Add a column with the link to each person's member page")
    .option("--out <file>", "Write to a file only you can read (default: standard output)")
    .notes(`
Rows are in the order people joined. All times are UTC. Cells that a
spreadsheet would run as a formula start with an apostrophe. For JSON rows use
--format jsonl; --json only changes the summary printed with --out.

With --link, the file gives access to the data of everyone in it for ${LINK_LIFETIME_DAYS} days.
--link needs SECRET and PUBLIC_ORIGIN, and LINK_KEYS if the servers have it.`)
    .examples(
      "--out list.csv --bom",
      "--format jsonl | gzip >list.gz",
      "--newsletter --confirmed --no-suppressed --out news.csv",
      "--wave 12 --link --out wave-12.csv",
    )
    .action(exportList);
}

const exportList = withMigratedDatabase(async (db, options: ExportOptions) => {
  const { format, bom, link, out } = options;
  const request = { filter: readFilter(options), format, hasBom: bom, linkOf: link ? createLinks() : undefined };
  let people = 0;
  const file = exportFile(db, commandLineActor(), request, (rows) => {
    people += rows;
  });
  await writeChunks(file, out);
  if (!out) return undefined;
  return { text: `Exported ${pluralize(people, "person", "people")} to ${out}`, json: { people, out } };
});

function createLinks(): LinkOf {
  const { keys, origin } = readLinkSettings();
  process.stderr.write(
    `Anyone with this export can open the page of everyone in it for ${LINK_LIFETIME_DAYS} days. Delete it when you are done.\n`,
  );
  return (person) => memberLink(keys, person, origin);
}
