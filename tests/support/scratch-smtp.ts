import { setTimeout } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";

/** Where mails can be sent, and what has arrived of them, as it arrived. */
export interface MailServer {
  url: string;
  inbox(): Promise<Buffer[]>;
  stop(): Promise<void>;
}

export interface ScratchSmtp extends MailServer {
  /** All mails it has taken, in the order in which they came. */
  mails: Email[];
  /** What it says to the next recipients: 4xx or 5xx and perhaps why, or undefined to take them. */
  refuseWith: string | undefined;
  /** Whether it says so when it hears the recipient, or only when it has read the mail. */
  refuseAt: "RCPT TO" | "DATA";
  /** How long it thinks about a mail that it has been given. */
  thinkMs: number;
}

/** An SMTP server that keeps what it is given, on a loopback port; a free one unless it is named. */
export async function startScratchSmtp(port = 0): Promise<ScratchSmtp> {
  const raw: Buffer[] = [];
  const refusal = () => {
    if (!smtp.refuseWith) return null;
    const [code, ...why] = smtp.refuseWith.split(" ");
    return Object.assign(new Error(why.join(" ") || "Not now, or not at all"), { responseCode: Number(code) });
  };
  const smtp: ScratchSmtp = {
    ...(await startSmtpServer({
      port,
      refuseRecipient: () => (smtp.refuseAt === "RCPT TO" ? refusal() : null),
      async onMail(mail) {
        const refused = smtp.refuseAt === "DATA" && refusal();
        if (refused) throw refused;
        raw.push(mail);
        smtp.mails.push(await PostalMime.parse(mail));
        await setTimeout(smtp.thinkMs);
      },
    })),
    inbox: async () => raw,
    mails: [],
    refuseWith: undefined,
    refuseAt: "RCPT TO",
    thinkMs: 0,
  };
  return smtp;
}
