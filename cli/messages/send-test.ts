import type { CommandResult } from "#cli/command.ts";
import { readInviteLinks, readMailSettings } from "#cli/settings.ts";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { escapeInvisible } from "#cli/terminal/escape-invisible.ts";
import type { Database } from "#core/database/connect.ts";
import { sendTest, type TestedMessage } from "#core/messages/preview.ts";

const OUTCOMES = {
  sent: "Sent the test to",
  rejected: "The mail server doesn't accept this address:",
  refused: "The mail server refused the test to",
};

/** Sends a message to the operator, filled in for a sample person. */
export async function sendOneTest(db: Database, message: TestedMessage, address: string): Promise<CommandResult> {
  const { smtpUrl, from, dkim, keys, origin } = readMailSettings();
  const links = { keys, origin, ...readInviteLinks(message) };
  // Only now: loading nodemailer would slow down every other command.
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
