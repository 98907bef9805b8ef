import { Command } from "commander";
import { brand } from "#brand/brand.ts";
import { addActivity } from "./commands/activity.ts";
import { addConsole } from "./commands/console.ts";
import { addEdit } from "./commands/edit.ts";
import { addErase } from "./commands/erase.ts";
import { addErasures } from "./commands/erasures.ts";
import { addExport } from "./commands/export.ts";
import { addInvite } from "./commands/invite.ts";
import { addLink } from "./commands/link.ts";
import { addList } from "./commands/list.ts";
import { addMail } from "./commands/mail.ts";
import { addMessage } from "./commands/message.ts";
import { addMigrate } from "./commands/migrate.ts";
import { addPurge } from "./commands/purge.ts";
import { addQuarantine } from "./commands/quarantine.ts";
import { addRecord } from "./commands/record.ts";
import { addShow } from "./commands/show.ts";
import { addStatus } from "./commands/status.ts";
import { addSuppressions } from "./commands/suppressions.ts";
import { addUninvite } from "./commands/uninvite.ts";
import { addUnsubscribe } from "./commands/unsubscribe.ts";
import { addVerify } from "./commands/verify.ts";

export function createProgram(): Command {
  const program = new Command("waitlist")
    .description(
      `Manage ${brand.name}'s waitlist. Set DATABASE_URL to the waitlist's database. erase and erasures also need the servers' SECRET, and ERASURE_KEY if they have one; links need SECRET, PUBLIC_ORIGIN, and LINK_KEYS if they have it; test emails need their mail settings.`,
    )
    .option("--json", "Print JSON instead of text")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .showSuggestionAfterError()
    .showHelpAfterError("(Add --help to see usage.)")
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .addHelpText(
      "after",
      `
Examples:
  npx waitlist status
  npx waitlist export --newsletter --out news.csv
  npx waitlist invite --next 500 --dry-run

Exit codes:
  0    Success
  1    Nothing found, a check failed, or you answered no
  2    Wrong usage or settings, or a file that can't be read or written
  3    Can't connect to the database, or its standby didn't confirm a change
  4    Internal error
  130  Interrupted`,
    )
    .exitOverride();
  for (const addCommand of [
    addConsole,
    addStatus,
    addActivity,
    addList,
    addShow,
    addLink,
    addEdit,
    addUnsubscribe,
    addExport,
    addInvite,
    addUninvite,
    addMessage,
    addErase,
    addErasures,
    addPurge,
    addSuppressions,
    addQuarantine,
    addMail,
    addVerify,
    addRecord,
    addMigrate,
  ]) {
    addCommand(program);
  }
  return program;
}
