import { setTimeout as pause } from "node:timers/promises";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";

/** An SMTP server that is slow to accept emails, so that some are in flight when a worker is killed. */
export async function startMailSink() {
  const ids: string[] = [];
  const recipients: string[] = [];
  const server = await startSmtpServer({
    async onMail(mail) {
      const header = (name: string) => new RegExp(`^${name}: (.+)$`, "im").exec(mail.toString("latin1"))?.[1] ?? "";
      ids.push(header("message-id"));
      recipients.push(header("to"));
      await pause(20);
    },
  });
  return {
    ...server,
    /** The To header of each email. */
    recipients,
    /** The distinct Message-IDs that arrived, and how many emails repeated one. */
    count() {
      const distinct = new Set(ids);
      return { ids: distinct, copies: ids.length - distinct.size };
    },
  };
}
