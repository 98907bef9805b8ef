import { Resolver } from "node:dns";
import { InvalidArgumentError } from "commander";
import { type Command, UsageError, withoutDatabase } from "#cli/command.ts";
import { formatKeyValueList } from "#cli/terminal/table.ts";
import { readConfig } from "#core/config/config.ts";
import { checkMailDns, DnsFailure } from "#core/mail/check-dns.ts";

export function addMailCheck(mail: Command): void {
  mail
    .command("check")
    .description("Check the SPF, DKIM and DMARC records of your domain")
    .option("--dns-server <address>", "Use this DNS server, such as 9.9.9.9", parseDnsServer)
    .notes(`
Looks up the domain of MAIL_FROM, and prints the records to publish. Use the
servers' settings: SMTP_URL, MAIL_FROM, SECRET, PUBLIC_ORIGIN, and DKIM_KEY,
DKIM_DOMAIN and DKIM_SELECTOR if they sign mail. Sends no mail.

Exits with 1 if a record is missing or wrong.

Examples:
  npx waitlist mail check
  npx waitlist mail check --dns-server 9.9.9.9`)
    .action(check);
}

const WORDS = { ok: "OK.", missing: "Missing.", wrong: "Wrong.", unknown: "Unknown." };

const PUBLISH = `Publish these at your DNS provider. Each replaces the record of its kind at its
host. Leave other TXT records as they are.`;

const check = withoutDatabase(async ({ dnsServer }: { dnsServer?: string }) => {
  const { mail } = readConfig();
  if (!mail) throw new UsageError("Set SMTP_URL and the other mail settings to the servers' values.");
  const report = await checkMailDns(mail, dnsServer).catch((reason) => {
    if (!(reason instanceof DnsFailure)) throw reason;
    throw new UsageError(`${reason.message}. Check the network, or choose another server with --dns-server.`);
  });
  if (!report) throw new UsageError("MAIL_FROM has no email address.");
  const { checks, unchecked } = report;
  const records = checks.flatMap(({ record }) => record ?? []);
  const text = [
    formatKeyValueList(
      Object.fromEntries(checks.map(({ name, status, detail }) => [name, `${WORDS[status]} ${detail}`])),
    ),
    ...(records.length > 0 ? [PUBLISH] : []),
    // Values stay on one line, so that they can be copied.
    ...records.map(({ host, type, value }) =>
      formatKeyValueList({ Host: host, Type: type, Value: value }, Number.POSITIVE_INFINITY),
    ),
    ["This command can't tell:", ...unchecked.map((item) => `- ${item}`)].join("\n"),
  ].join("\n\n");
  return { text, json: report, isOk: checks.every(({ status }) => status === "ok" || status === "unknown") };
});

function parseDnsServer(text: string): string {
  try {
    new Resolver().setServers([text]);
    return text;
  } catch {
    throw new InvalidArgumentError("Use an IP address, such as 9.9.9.9 or 127.0.0.1:5353.");
  }
}
