#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { brand } from "#brand/brand.ts";
import { isAccessDenied, isUnavailable } from "#core/database/faults.ts";
import { describeUnreachable, RefusedStart } from "#core/refused-start.ts";
import { EXIT, UsageError } from "./command.ts";
import { addErase } from "./commands/erase.ts";
import { addErasures } from "./commands/erasures.ts";
import { addExport } from "./commands/export.ts";
import { addInvite } from "./commands/invite.ts";
import { addList } from "./commands/list.ts";
import { addMail } from "./commands/mail.ts";
import { addMigrate } from "./commands/migrate.ts";
import { addQuarantine } from "./commands/quarantine.ts";
import { addReport } from "./commands/report.ts";
import { addShow } from "./commands/show.ts";
import { addStatus } from "./commands/status.ts";
import { addVerify } from "./commands/verify.ts";

const program = new Command("waitlist")
  .description(`${brand.name}'s waitlist, for the people who run it. It works on the database that DATABASE_URL names.`)
  .option("--json", "answer as JSON, for programs")
  .showSuggestionAfterError()
  .showHelpAfterError("(what there is: add --help)")
  .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
  .addHelpText(
    "after",
    `
Examples:
  npx waitlist status
  npx waitlist export --newsletter --out news.csv
  npx waitlist invite --next 500 --dry-run

Exits with 0 when all is well, 1 when what was asked for isn't so (nobody
found, totals wrong), 2 after wrong usage, 3 when the database can't be
reached, 4 after a fault of this tool's own.`,
  )
  .exitOverride();
for (const add of [
  addStatus,
  addList,
  addShow,
  addExport,
  addReport,
  addInvite,
  addErase,
  addErasures,
  addQuarantine,
  addMail,
  addVerify,
  addMigrate,
]) {
  add(program);
}

try {
  await program.parseAsync();
} catch (reason) {
  process.exitCode = explain(reason);
}

/** Says what went wrong, where nobody has yet, and answers the exit code. Never more than that: a row may be in the rest. */
function explain(reason: unknown): number {
  if (reason instanceof CommanderError) return reason.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (!(reason instanceof Error)) throw reason;
  if (reason.name === "AbortError") return EXIT.interrupted;
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const message = reason instanceof AggregateError ? String(reason.errors[0]?.message) : reason.message;
  // A file that can't be read or written names its path.
  if (reason instanceof UsageError || reason instanceof RefusedStart || "path" in reason) {
    say(message);
    return EXIT.usage;
  }
  if (isUnavailable(reason) || isAccessDenied(reason)) {
    say(describeUnreachable(reason));
    return EXIT.unreachable;
  }
  say(`Something is wrong in this tool: ${message}`);
  return EXIT.internal;
}
