import { generateKeyPairSync } from "node:crypto";
import { readConfig } from "#core/config.ts";
import { installQueues } from "#worker/queues.ts";
import { startMailWorker } from "#worker/start.ts";
import { test as base } from "./console.ts";
import { type ScratchSmtp, startScratchSmtp } from "./scratch-smtp.ts";

interface MailFixtures {
  smtp: ScratchSmtp;
  /** Starts a mail worker, which is stopped after the test. */
  startWorker: () => Promise<void>;
}

const INVITE_KEYS = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** A console that can send: mail goes to an SMTP server in memory, once a worker runs. */
export const test = base.extend<MailFixtures>({
  smtp: async ({ browserName: _ }, use) => {
    const smtp = await startScratchSmtp();
    await use(smtp);
    await smtp.stop();
  },
  mail: async ({ smtp, databaseUrl }, use) => {
    const env = {
      DATABASE_URL: databaseUrl,
      SMTP_URL: smtp.url,
      SECRET: "the secret of a console under test",
      PUBLIC_ORIGIN: "https://farwatch.example",
      INVITE_URL: "https://app.farwatch.example/join",
      INVITE_KEYS,
    };
    await use(readConfig(env).mail);
  },
  startWorker: async ({ db, databaseUrl, mail }, use) => {
    const workers: Awaited<ReturnType<typeof startMailWorker>>[] = [];
    await use(async () => {
      if (!mail) throw new Error("Mail is off");
      await installQueues(db);
      workers.push(await startMailWorker(mail, db, databaseUrl, () => {}));
    });
    await Promise.all(workers.map((worker) => worker.stop()));
  },
});
