import type { Command } from "commander";
import { commandLineActor } from "#cli/actor.ts";
import { type CommandResult, withMigratedDatabase } from "#cli/command.ts";
import { formatKeyValueList } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { formatDateTime, formatNumber, pluralize } from "#core/format.ts";
import { retryFailed } from "#core/mail/deliveries.ts";
import { readMailStatus } from "#core/mail/status.ts";
import { addMailCheck } from "./mail-check.ts";

const MAX_WAIT_MINUTES = 10;

export function addMail(program: Command): void {
  const mail = program
    .command("mail")
    .description("Check and retry emails, and check your domain's DNS records")
    .addHelpText(
      "after",
      "\nExamples:\n  npx waitlist mail status\n  npx waitlist mail retry\n  npx waitlist mail check",
    );
  mail
    .command("status")
    .description("Show how many emails are waiting, failed, or rejected")
    .addHelpText(
      "after",
      `
Exits with 1 if emails failed or no mail worker is running.

Examples:
  npx waitlist mail status
  npx waitlist mail status --json`,
    )
    .action(withMigratedDatabase(status));
  mail
    .command("retry")
    .description("Retry emails that the server refused or that failed for two days")
    .addHelpText("after", "\nExample:\n  npx waitlist mail retry")
    .action(withMigratedDatabase(retry));
  addMailCheck(mail);
}

async function status(db: Database): Promise<CommandResult> {
  const mail = await readMailStatus(db);
  const text = formatKeyValueList({
    ...(mail.heldUntil && { "On hold until": formatDateTime(mail.heldUntil) }),
    "Waiting to be queued": formatNumber(mail.marked),
    "Waiting to be sent": formatNumber(mail.waiting),
    Failed: `${formatNumber(mail.dead)}${mail.dead ? " (to retry: npx waitlist mail retry)" : ""}`,
    "People emailed": formatNumber(mail.mailed),
    "People who confirmed": formatNumber(mail.confirmed),
    "Rejected by mail server": formatNumber(mail.rejected),
    "Last email": formatDateTime(mail.last),
  });
  // A running worker queues due emails, a few at a time, unless they are on hold.
  const isRecent = (time: Date | null) => time !== null && Date.now() - time.getTime() < MAX_WAIT_MINUTES * 60_000;
  const isWorkerRunning =
    mail.waitingSince === null ||
    mail.heldUntil !== null ||
    [mail.waitingSince, mail.last, mail.lastTried].some(isRecent);
  return {
    text: isWorkerRunning
      ? text
      : `${text}\n\nNo mail worker is running: emails have waited for more than ${MAX_WAIT_MINUTES} minutes.`,
    json: mail,
    isOk: mail.dead === 0 && isWorkerRunning,
  };
}

async function retry(db: Database): Promise<CommandResult> {
  const retried = await retryFailed(db, commandLineActor());
  const text = retried ? `Queued ${pluralize(retried, "email")} for another try.` : "No emails to retry.";
  return { text, json: { retried } };
}
