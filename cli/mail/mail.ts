import { setTimeout as pause } from "node:timers/promises";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, UsageError, withMigratedDatabase, withoutDatabase } from "#cli/terminal/command.ts";
import { readMailSettings } from "#cli/terminal/settings.ts";
import { formatKeyValueList } from "#cli/terminal/table.ts";
import { describeReason } from "#core/mail/delivery-reasons.ts";
import { checkMailDns, DnsFailure } from "#core/mail/dns/check-dns.ts";
import { retryFailed } from "#core/mail/queue/deliveries.ts";
import { MAX_WAIT_MINUTES, readMailStatus } from "#core/mail/queue/status.ts";
import { formatDateTime, formatNumber, formatPercent, pluralize } from "#core/text/format.ts";

/** A worker looks for due mail every half second. */
const SEVERAL_POLLS_MS = 3000;

export function addMail(program: Command): void {
  const mail = program
    .subcommand("mail", "Check and retry emails, and check your domain's DNS records")
    .examples("status", "retry", "check");
  mail
    .subcommand("status", "Show how many emails are waiting or failed, the rate and the last error")
    .notes(`
Exits with 1 if emails failed or no mail worker is running.`)
    .examples("", "--json")
    .action(status);
  mail
    .subcommand("retry", "Retry emails that the server refused or that failed for two days")
    .examples("")
    .action(retry);
  mail
    .subcommand("check", "Check your domain's DNS records for mail: SPF, DKIM, DMARC")
    .notes(`
Looks up the domain of MAIL_FROM, and prints the records to publish. Use the
servers' settings: SMTP_URL, MAIL_FROM, SECRET, PUBLIC_ORIGIN, and DKIM_KEY,
DKIM_DOMAIN and DKIM_SELECTOR if they sign mail. Sends no mail.

DNS doesn't show which servers your mail provider sends from: its documentation
has the SPF include.

Exits with 1 if a record is missing or wrong.`)
    .examples("", "--json")
    .action(check);
}

const status = withMigratedDatabase(async (db) => {
  let mail = await readMailStatus(db);
  // Checked again, because an email may have become due a moment ago.
  if (mail.isStalled) {
    await pause(SEVERAL_POLLS_MS);
    mail = await readMailStatus(db);
  }
  const { bounced, complained, unsubscribed } = mail.lastMonth;
  const text = formatKeyValueList({
    "Waiting to be sent": formatNumber(mail.waiting),
    "Oldest waiting": formatDateTime(mail.waitingSince),
    Rate: `${formatNumber(mail.perMinute)} per minute`,
    Failed: `${formatNumber(mail.dead)}${mail.dead ? " (to retry: npx waitlist mail retry)" : ""}`,
    "Last error": mail.lastFailure
      ? `${formatDateTime(mail.lastFailure.at)}, ${describeReason(mail.lastFailure.reason)}`
      : "–",
    "Bounced, 30 days": `${formatNumber(bounced)} (${formatPercent(mail.rates.bounces)})`,
    "Complained, 30 days": `${formatNumber(complained)} (${formatPercent(mail.rates.complaints)})`,
    "Unsubscribed, 30 days": formatNumber(unsubscribed),
    ...(mail.stoppedSources.length > 0 && { "Events stopped": mail.stoppedSources.join(", ") }),
    "People emailed": formatNumber(mail.mailed),
    "Last email": formatDateTime(mail.lastSentAt),
  });
  return {
    text: mail.isStalled
      ? `${text}\n\nNo mail worker is running: emails are waiting, and none was sent in the last ${MAX_WAIT_MINUTES} minutes.`
      : text,
    json: mail,
    isOk: mail.dead === 0 && !mail.isStalled,
  };
});

const retry = withMigratedDatabase(async (db) => {
  const retried = await retryFailed(db, commandLineActor());
  const text = retried ? `Queued ${pluralize(retried, "email")} for another try.` : "No emails to retry.";
  return { text, json: { retried } };
});

const WORDS = { ok: "OK.", missing: "Missing.", wrong: "Wrong.", weak: "Weak.", unknown: "Unknown." };

const check = withoutDatabase(async () => {
  const report = await checkMailDns(readMailSettings()).catch((reason) => {
    if (!(reason instanceof DnsFailure)) throw reason;
    throw new UsageError(`${reason.message}. Check the network.`);
  });
  if (!report) throw new UsageError("MAIL_FROM has no email address.");
  const { checks } = report;
  const records = checks.flatMap(({ record }) => record ?? []);
  const text = [
    formatKeyValueList(
      Object.fromEntries(checks.map(({ name, status, detail }) => [name, `${WORDS[status]} ${detail}`])),
    ),
    ...(records.length > 0 ? ["Publish these TXT records at your DNS provider:"] : []),
    // Values stay on one line, so that they can be copied.
    ...records.map(({ host, value }) => formatKeyValueList({ Host: host, Value: value }, Number.POSITIVE_INFINITY)),
  ].join("\n\n");
  return { text, json: report, isOk: checks.every(({ status }) => status !== "missing" && status !== "wrong") };
});
