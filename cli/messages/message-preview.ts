import { writeFile } from "node:fs/promises";
import { commandLineActor } from "#cli/terminal/actor.ts";
import type { Command } from "#cli/terminal/command.ts";
import { escapeInvisible } from "#cli/terminal/escape-invisible.ts";
import { openInBrowser } from "#cli/terminal/open-in-browser.ts";
import { parseMailbox } from "#cli/terminal/options.ts";
import { readMailSettings, readMessageLinks } from "#cli/terminal/settings.ts";
import type { Address } from "#contract/sign-up.ts";
import type { Database } from "#core/database/connect.ts";
import { renderPreview, sendTest, type TestedMessage } from "#core/messages/preview.ts";
import { MESSAGE_ID, withMessage } from "./message-options.ts";

export function addMessagePreviews(message: Command): void {
  message
    .subcommand("preview", "Show a message as a sample person would get it")
    .argument(...MESSAGE_ID)
    .option("--out <file>", "Write the HTML to this file (default: print the text)")
    .option("--open", "Write the HTML to message-<id>.html or --out, and open it")
    .notes(`
The preview's links don't work. Needs SECRET and PUBLIC_ORIGIN. {{inviteUrl}}
also needs INVITE_URL and INVITE_KEYS.`)
    .examples("12", "12 --open", "12 --out message.html")
    .action(preview);
  message
    .subcommand("test", "Send a message to yourself, and to nobody else")
    .argument(...MESSAGE_ID)
    .argument("<address>", "Your email address", parseMailbox)
    .notes(`
The message is filled in for a sample person. Its subject starts with [Test].
Needs the servers' mail settings: SMTP_URL, MAIL_FROM, SECRET, PUBLIC_ORIGIN,
and DKIM_KEY, DKIM_DOMAIN and DKIM_SELECTOR if they sign mail.

Exits with 1 if the mail server doesn't accept it.`)
    .examples("12 me@example.com")
    .action(withMessage(sendOneTest));
}

const preview = withMessage(async (_db, message, { out, open }: { out?: string; open?: boolean }) => {
  const mail = renderPreview(message, readMessageLinks());
  if ("refused" in mail) return mail;
  const { subject, text, html } = mail;
  const file = out ?? (open ? `message-${message.id}.html` : undefined);
  if (!file) {
    const lines = [`Subject: ${subject}`, "", ...text.split("\n")];
    return { text: lines.map(escapeInvisible).join("\n"), json: { subject, text, html } };
  }
  await writeFile(file, html);
  if (open) openInBrowser(file);
  return { text: `Wrote ${file}`, json: { subject, out: file } };
});

const OUTCOMES = {
  sent: "Sent the test to",
  rejected: "The mail server doesn't accept this address:",
  refused: "The mail server refused the test to",
};

export async function sendOneTest(db: Database, message: TestedMessage, address: Address) {
  const result = await sendTest(db, commandLineActor(), message, address, readMailSettings());
  if ("refused" in result) return result;
  const { outcome, failure } = result;
  const text =
    outcome === "failed" ? `${failure}. Check SMTP_URL.` : `${OUTCOMES[outcome]} ${escapeInvisible(address)}`;
  return { text, json: { address, outcome }, isOk: outcome === "sent" };
}
