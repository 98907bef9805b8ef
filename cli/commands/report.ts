import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { platform } from "node:os";
import type { Command } from "commander";
import { type CommandResult, withList } from "#cli/command.ts";
import { renderReport } from "#cli/report/page.ts";
import type { Database } from "#core/database/connect.ts";
import { readNumbers } from "#core/waitlist/report-numbers.ts";

export function addReport(program: Command): void {
  program
    .command("report")
    .description("one page about the list, with charts, to show to others")
    .option("--out <file>", "the HTML file to write", "report.html")
    .option("--open", "show it in the browser")
    .addHelpText(
      "after",
      `
One file that asks nobody for anything; it names companies and mail domains,
and no people. With --json the same numbers are printed, and no file is written.

Examples:
  npx waitlist report --open
  npx waitlist report --out 2026-11-30.html
  npx waitlist report --json`,
    )
    .action(withList(report));
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

function openInBrowser(file: string): void {
  const opener = { darwin: "open", win32: "explorer" }[platform() as string] ?? "xdg-open";
  // Left to itself: a browser stays open for longer than we do.
  spawn(opener, [file], { stdio: "ignore", detached: true })
    .on("error", () => process.stderr.write(`No ${opener} here: open ${file} yourself\n`))
    .unref();
}
