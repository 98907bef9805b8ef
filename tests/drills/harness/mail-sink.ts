import { setTimeout as pause } from "node:timers/promises";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";

/** An SMTP server that takes a while for each mail, so that a kill finds some in flight. */
export async function startMailSink(host?: string) {
  const ids: string[] = [];
  const server = await startSmtpServer({
    ...(host && { host }),
    async onMail(mail) {
      ids.push(/^message-id: (.+)$/im.exec(mail.toString("latin1"))?.[1] ?? "");
      await pause(20);
    },
  });
  return {
    ...server,
    /** The Message-IDs that arrived, and how many of them were copies. */
    count() {
      const distinct = new Set(ids);
      return { ids: distinct, copies: ids.length - distinct.size };
    },
  };
}
