import type { Command, CommandResult } from "#cli/command.ts";
import { readInviteLinks, readMailSettings } from "#cli/settings.ts";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { escapeInvisible } from "#cli/terminal/escape-invisible.ts";
import type { Database } from "#core/database/connect.ts";
import { sendTest, type TestedMessage } from "#core/messages/preview.ts";
import { MESSAGE_ID, parseMailbox } from "./message-options.ts";
import { withMessage } from "./with-message.ts";

export function addMessageTest(message: Command): void {
  message
    .command("test")
    .description("Send a message to yourself, and to nobody else")
    .argument(...MESSAGE_ID)
    .argument("<address>", "Your email address", parseMailbox)
    .notes(`
The message is filled in for a sample person. Its subject starts with [Test].
Needs the servers' mail settings: SMTP_URL, MAIL_FROM, SECRET, PUBLIC_ORIGIN,
and DKIM_KEY, DKIM_DOMAIN and DKIM_SELECTOR if they sign mail.

Exits with 1 if the mail server doesn't accept it.

Example:
  npx waitlist message test 12 me@example.com`)
    .action(withMessage(sendOneTest));
}

const OUTCOMES = {
  sent: "Sent the test to",
  rejected: "The mail server doesn't accept this address:",
  refused: "The mail server refused the test to",
};

export async function sendOneTest(db: Database, message: TestedMessage, address: string): Promise<CommandResult> {
  const { smtpUrl, from, postalAddress, dkim, keys, origin } = readMailSettings();
  const links = { keys, origin, postalAddress, ...readInviteLinks(message) };
  // Imported here, because loading nodemailer would slow down every other command.
  const { MailServerFailure, openSender } = await import("#core/mail/sender.ts");
  const sender = openSender({ url: smtpUrl, from, dkim });
  try {
    const outcome = await sendTest(db, commandLineActor(), message, address, { sender, ...links });
    return {
      text: `${OUTCOMES[outcome]} ${escapeInvisible(address)}`,
      json: { address, outcome },
      isOk: outcome === "sent",
    };
  } catch (reason) {
    if (!(reason instanceof MailServerFailure)) throw reason;
    return { text: `${reason.message}. Check SMTP_URL.`, json: { address, outcome: "failed" }, isOk: false };
  } finally {
    sender.close();
  }
}
