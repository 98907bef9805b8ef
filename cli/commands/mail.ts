import type { Command } from "commander";
import { type CommandResult, withList } from "#cli/command.ts";
import { keyValueList } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { formatDateTime, formatNumber, pluralize } from "#core/format.ts";
import { retryDeadLetters } from "#core/mail/queue.ts";
import { readMailStatus } from "#core/mail/status.ts";

const MAX_WAIT_MS = 10 * 60_000;

export function addMail(program: Command): void {
  const mail = program.command("mail").description("the mails that ask people to confirm their address");
  mail.command("status").description("how many wait, were refused, or were given up").action(withList(status));
  mail.command("retry").description("try those once more that were given up after two days").action(withList(retry));
}

async function status(db: Database): Promise<CommandResult> {
  const mail = await readMailStatus(db);
  const text = keyValueList({
    "to be queued": formatNumber(mail.marked),
    "to be sent": formatNumber(mail.waiting),
    "given up": `${formatNumber(mail.dead)}${mail.dead ? " (npx waitlist mail retry)" : ""}`,
    "people written to": formatNumber(mail.mailed),
    "of them confirmed": formatNumber(mail.confirmed),
    "refused by their server": formatNumber(mail.rejected),
    last: formatDateTime(mail.last),
  });
  // Marks are taken within a second, unless there is nobody to take them.
  const isAtWork = !mail.waitingSince || Date.now() - mail.waitingSince.getTime() < MAX_WAIT_MS;
  return {
    text: isAtWork ? text : `${text}\n\nNo mail worker is at work.`,
    json: mail,
    isOk: mail.dead === 0 && isAtWork,
  };
}

async function retry(db: Database): Promise<CommandResult> {
  const retried = await retryDeadLetters(db);
  return { text: `${pluralize(retried, "mail")} will be tried again.`, json: { retried } };
}
