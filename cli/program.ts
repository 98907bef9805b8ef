import type { Command as CommanderCommand } from "commander";
import { brand } from "#brand/brand.ts";
import { Command } from "#cli/terminal/command.ts";
import { addInvite } from "./invitations/invite.ts";
import { addMail } from "./mail/mail.ts";
import { addExport } from "./people/export.ts";
import { addImport } from "./people/import.ts";
import { addShow } from "./people/show.ts";
import { addSuppressions } from "./people/suppressions.ts";
import { addErase } from "./retention/erase.ts";
import { addErasures } from "./retention/erasures.ts";
import { addPurge } from "./retention/purge.ts";
import { addConsole } from "./service/console.ts";
import { addMigrate } from "./service/migrate.ts";
import { addRecord } from "./service/record.ts";
import { addStatus } from "./service/status.ts";
import { addVerify } from "./service/verify.ts";

export function createProgram(): CommanderCommand {
  const program = new Command("waitlist")
    .description(
      `Manage ${brand.name}'s waitlist. Set DATABASE_URL to the waitlist's database. erase and erasures also need the servers' SECRET, and their ERASURE_KEY if set. Links need the servers' SECRET and PUBLIC_ORIGIN, and their LINK_KEYS if set.`,
    )
    .option("--json", "Print JSON instead of text")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .showSuggestionAfterError()
    .showHelpAfterError("(Add --help to see usage.)")
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .notes(`
Examples:
  npx waitlist status
  npx waitlist export --newsletter --out news.csv
  npx waitlist show ada@example.com

Exit codes:
  0    Success
  1    Nothing found, a check failed, or you answered no
  2    Wrong usage or settings, or a file that can't be read or written
  3    Can't connect to the database, or its standby didn't confirm a change
  4    Internal error
  130  Interrupted`)
    .exitOverride();
  addConsole(program);
  addStatus(program);
  addShow(program);
  addExport(program);
  addInvite(program);
  addErase(program);
  addErasures(program);
  addPurge(program);
  addSuppressions(program);
  addImport(program);
  addMail(program);
  addVerify(program);
  addRecord(program);
  addMigrate(program);
  return program;
}
