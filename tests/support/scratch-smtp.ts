import { setTimeout } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";

/** An SMTP server whose received emails can be read. */
export interface MailServer {
  url: string;
  /** The raw emails. */
  inbox(): Promise<Buffer[]>;
  stop(): Promise<void>;
}

export interface ScratchSmtp extends MailServer {
  /** All accepted emails, in order of arrival. */
  mails: Email[];
  /** The envelope's recipients, which decide where mail goes. */
  recipients: string[];
  /** The 4xx or 5xx code, with an optional message, for the next emails; undefined to accept them. */
  refuseWith: string | undefined;
  /** The SMTP command that `refuseWith` responds to. */
  refuseAt: "RCPT TO" | "DATA";
  /** The delay between receiving an email and acknowledging it. */
  ackDelayMs: number;
}

/** An SMTP server that stores all mail in memory, on a loopback port; a free one by default. */
export async function startScratchSmtp(port = 0): Promise<ScratchSmtp> {
  const raw: Buffer[] = [];
  const refusal = () => {
    if (!smtp.refuseWith) return null;
    const [code, ...message] = smtp.refuseWith.split(" ");
    return Object.assign(new Error(message.join(" ") || "Rejected by the test"), { responseCode: Number(code) });
  };
  const smtp: ScratchSmtp = {
    ...(await startSmtpServer({
      port,
      onRcptTo: ({ address }, _session, done) => {
        smtp.recipients.push(address);
        done(smtp.refuseAt === "RCPT TO" ? refusal() : null);
      },
      async onMail(mail) {
        const error = smtp.refuseAt === "DATA" && refusal();
        if (error) throw error;
        raw.push(mail);
        smtp.mails.push(await PostalMime.parse(mail));
        await setTimeout(smtp.ackDelayMs);
      },
    })),
    inbox: async () => raw,
    mails: [],
    recipients: [],
    refuseWith: undefined,
    refuseAt: "RCPT TO",
    ackDelayMs: 0,
  };
  return smtp;
}
