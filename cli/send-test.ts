import { escapeInvisible } from "#cli/terminal/escape-invisible.ts";
import type { Database } from "#core/database/connect.ts";
import { sendTest, type TestedMessage } from "#core/mail/preview.ts";
import { MailServerFailure, openSender } from "#core/mail/sender.ts";
import { commandLineActor } from "./actor.ts";
import type { CommandResult } from "./command.ts";
import { readInviteUrl, readMailSettings } from "./mail-settings.ts";

const OUTCOMES = {
  sent: "Sent the test to",
  rejected: "The mail server doesn't accept this address:",
  refused: "The mail server refused the test to",
};

/** Sends a message to the operator, filled in for a sample person. */
export async function sendOneTest(db: Database, message: TestedMessage, address: string): Promise<CommandResult> {
  const { smtpUrl, from, dkim, keys, origin } = readMailSettings();
  const inviteUrl = readInviteUrl(message);
  const sender = openSender({ url: smtpUrl, from, dkim });
  try {
    const outcome = await sendTest(db, commandLineActor(), message, address, { sender, keys, origin, inviteUrl });
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
