import type { Command } from "commander";
import type { Database } from "#core/database/connect.ts";
import type { Message } from "#core/messages/messages.ts";
import { parseMailbox, parseMessageId } from "./message-options.ts";
import { sendOneTest } from "./send-test.ts";
import { withMessage } from "./with-message.ts";

export function addMessageTest(message: Command): void {
  message
    .command("test")
    .description("Send a message to yourself, and to nobody else")
    .argument("<id>", 'Message ID from "waitlist message status"', parseMessageId)
    .argument("<address>", "Your email address", parseMailbox)
    .addHelpText(
      "after",
      `
It is filled in for a sample person, and the subject starts with [Test]. Needs
the servers' mail settings: SMTP_URL, MAIL_FROM, SECRET, PUBLIC_ORIGIN, and
DKIM_KEY, DKIM_DOMAIN and DKIM_SELECTOR if they sign mail.

Exits with 1 if the mail server doesn't take it.

Example:
  npx waitlist message test 12 me@example.com`,
    )
    .action(withMessage((db: Database, found: Message, address: string) => sendOneTest(db, found, address)));
}
