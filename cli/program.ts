import type { Command as CommanderCommand } from "commander";
import { brand } from "#brand/brand.ts";
import { Command } from "#cli/terminal/command.ts";
import { addAcceptanceSecret } from "./invitations/acceptance-secret.ts";
import { addInvite } from "./invitations/invite.ts";
import { addUninvite } from "./invitations/uninvite.ts";
import { addMail } from "./mail/mail.ts";
import { addMessage } from "./messages/message.ts";
import { addEdit } from "./people/edit.ts";
import { addExport } from "./people/export.ts";
import { addImport } from "./people/import.ts";
import { addLink } from "./people/link.ts";
import { addList } from "./people/list.ts";
import { addQuarantine } from "./people/quarantine.ts";
import { addShow } from "./people/show.ts";
import { addSuppressions } from "./people/suppressions.ts";
import { addUnsubscribe } from "./people/unsubscribe.ts";
import { addErase } from "./retention/erase.ts";
import { addErasures } from "./retention/erasures.ts";
import { addPurge } from "./retention/purge.ts";
import { addActivity } from "./service/activity.ts";
import { addConsole } from "./service/console.ts";
import { addMigrate } from "./service/migrate.ts";
import { addRecord } from "./service/record.ts";
import { addStatus } from "./service/status.ts";
import { addVerify } from "./service/verify.ts";
import { addWebhooks } from "./webhooks/webhooks.ts";

export function createProgram(): CommanderCommand {
  const program = new Command("waitlist")
    .description(
      `Manage ${brand.name}'s waitlist. Set DATABASE_URL to the waitlist's database. erase and erasures also need the servers' SECRET, and their ERASURE_KEY if set. Links need the servers' SECRET and PUBLIC_ORIGIN, and their LINK_KEYS if set. Test emails need the servers' mail settings.`,
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
  npx waitlist invite --next 500 --dry-run

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
  addActivity(program);
  addList(program);
  addShow(program);
  addLink(program);
  addEdit(program);
  addUnsubscribe(program);
  addExport(program);
  addInvite(program);
  addUninvite(program);
  addAcceptanceSecret(program);
  addMessage(program);
  addErase(program);
  addErasures(program);
  addPurge(program);
  addSuppressions(program);
  addImport(program);
  addQuarantine(program);
  addMail(program);
  addWebhooks(program);
  addVerify(program);
  addRecord(program);
  addMigrate(program);
  return program;
}
