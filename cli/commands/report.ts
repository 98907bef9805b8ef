import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { type CommandResult, withMigratedDatabase } from "#cli/command.ts";
import { openInBrowser } from "#cli/open-in-browser.ts";
import { renderReport } from "#cli/report/page.ts";
import type { Database } from "#core/database/connect.ts";
import { readNumbers } from "#core/waitlist/report-numbers.ts";

export function addReport(program: Command): void {
  program
    .command("report")
    .description("Write an HTML report with charts")
    .option("--out <file>", "HTML file to write", "report.html")
    .option("--open", "Open the report in your browser")
    .addHelpText(
      "after",
      `
The report is one self-contained file that you can share. It names companies
and email domains, but no people. With --json, the same numbers are printed
and no file is written.

Examples:
  npx waitlist report --open
  npx waitlist report --out 2026-11-30.html
  npx waitlist report --json`,
    )
    .action(withMigratedDatabase(report));
}

interface ReportOptions {
  out: string;
  open?: boolean;
  json?: boolean;
}

async function report(db: Database, { out, open, json }: ReportOptions): Promise<CommandResult> {
  const numbers = await readNumbers(db);
  if (!json) {
    await writeFile(out, renderReport(numbers));
    if (open) openInBrowser(out);
  }
  return { text: `Wrote ${out}`, json: numbers };
}
