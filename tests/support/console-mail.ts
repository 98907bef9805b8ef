import type { Service } from "#core/service/run-service.ts";
import { test as base } from "./console.ts";
import { configureMail, startConsoleWorker } from "./console-parts.ts";
import { type ScratchSmtp, startScratchSmtp } from "./scratch-smtp.ts";

interface MailFixtures {
  smtp: ScratchSmtp;
  /** Starts a mail worker, which is stopped after the test. */
  startWorker: () => Promise<void>;
}

/** A console that can send: mail goes to an SMTP server in memory, once a worker runs. */
export const test = base.extend<MailFixtures>({
  smtp: async ({ browserName: _ }, use) => {
    const smtp = await startScratchSmtp();
    await use(smtp);
    await smtp.stop();
  },
  mail: ({ smtp, databaseUrl }, use) => use(configureMail(smtp.url, databaseUrl)),
  startWorker: async ({ db, mail }, use) => {
    const workers: Service[] = [];
    await use(async () => {
      if (!mail) throw new Error("Mail is off");
      workers.push(startConsoleWorker(mail, db));
    });
    await Promise.all(workers.map((worker) => worker.stop()));
  },
});
