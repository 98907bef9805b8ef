import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { connect } from "#core/database/connect.ts";
import type { Check } from "#tests/drills/faults/drill.ts";
import { type ScratchSmtp, startScratchSmtp } from "#tests/support/scratch-smtp.ts";

export interface MailService {
  /** For servers and worker. */
  env: Record<string, string>;
  startWorker(databaseUrl: string): Promise<void>;
  /** Checks that the same worker still sends, and that every person got a mail or will get one. */
  check(databaseUrl: string, check: Check): Promise<void>;
  stop(): Promise<void>;
}

const MAX_WAIT_MS = 60_000;

export async function startMail(): Promise<MailService> {
  const smtp = await startScratchSmtp();
  const env = {
    SMTP_URL: smtp.url,
    SECRET: "an example secret of 32 characters",
    PUBLIC_ORIGIN: "https://farwatch.example",
    MAIL_WORKER: "apart",
    MAIL_PER_MINUTE: "1200",
  };
  let hasEnded = true;
  let end = async () => {};
  return {
    env,
    async startWorker(databaseUrl) {
      const worker = spawn(process.execPath, ["worker/main.ts"], {
        env: { PATH: process.env.PATH, ...env, DATABASE_URL: databaseUrl, LOG_LEVEL: "info" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exited = once(worker, "exit").then(() => {
        hasEnded = true;
      });
      hasEnded = false;
      end = async () => {
        worker.kill("SIGTERM");
        await exited;
      };
      const lines = createInterface(worker.stdout);
      await new Promise<void>((resolve) => {
        lines.on("line", (line) => line.includes("Mail worker started") && resolve());
      });
    },
    async check(databaseUrl, check) {
      check(!hasEnded, "the mail worker has exited");
      check(await hasArrived(smtp), `no mail arrived within ${MAX_WAIT_MS / 1000} s after the last fault`);
      const forgotten = await countForgotten(databaseUrl, smtp);
      check(forgotten === 0, `${forgotten} people neither got a mail nor are due one`);
    },
    async stop() {
      await end();
      await smtp.stop();
    },
  };
}

async function hasArrived({ mails }: ScratchSmtp): Promise<boolean> {
  const before = mails.length;
  for (const startedAt = performance.now(); performance.now() - startedAt < MAX_WAIT_MS; ) {
    if (mails.length > before) return true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return false;
}

async function countForgotten(databaseUrl: string, smtp: ScratchSmtp): Promise<number> {
  const db = connect(databaseUrl);
  const { rows } = await db.pool
    .query<{ email: string }>(
      `select email from sign_ups where not mail_due and not exists (
        select from deliveries where sign_up_id = sign_ups.id and state = 'pending'
      )`,
    )
    .finally(() => db.destroy());
  const mailed = new Set(smtp.mails.flatMap(({ to }) => to?.map(({ address }) => address) ?? []));
  return rows.filter(({ email }) => !mailed.has(email)).length;
}
