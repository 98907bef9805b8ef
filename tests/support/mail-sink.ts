import { setTimeout as pause } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";

const MAX_RECENT = 100;

/** An SMTP server that counts mails by recipient. It keeps only the newest, because a long drill sends very many. */
export interface MailSink {
  url: string;
  /** How many mails each address got. */
  arrivals: Map<string, number>;
  /** The newest mails, oldest first. */
  recent(): Promise<Email[]>;
  /** The delay between receiving a mail and acknowledging it. */
  ackDelayMs: number;
  stop(): Promise<void>;
}

export async function startMailSink(): Promise<MailSink> {
  const arrivals = new Map<string, number>();
  const recent: Buffer[] = [];
  const server = await startSmtpServer({
    async onMail(mail) {
      const to = /^to: (.+)$/im.exec(mail.toString("latin1"))?.[1]?.trim() ?? "";
      arrivals.set(to, (arrivals.get(to) ?? 0) + 1);
      recent.push(mail);
      if (recent.length > MAX_RECENT) recent.shift();
      await pause(sink.ackDelayMs);
    },
  });
  const sink: MailSink = {
    ...server,
    arrivals,
    recent: () => Promise.all(recent.map((mail) => PostalMime.parse(mail))),
    ackDelayMs: 0,
  };
  return sink;
}
