import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { prepareMessage } from "#core/messages/audience.ts";
import { startMessage } from "#core/messages/message-states.ts";
import { createMessage } from "#core/messages/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { addMany } from "#tests/support/people.ts";
import { median } from "#tests/support/quantile.ts";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";
import { MAX_IN_FLIGHT } from "#worker/start.ts";
import { MAIL_ENV, withDatabase } from "./database.ts";

const TURN_MS = 4000;
/** Until V8 has optimized the code. */
const WARM_UP_MAILS = 50;
/** What a mail server nearby takes for a mail. */
const MAIL_MS = 20;
const MAX_PER_SECOND = 1000 / MAIL_MS;

/** Mails per second of a mail worker, relative to nodemailer alone with as many connections, in turns. */
export async function measureSender(turns: number): Promise<number> {
  let mails = 0;
  const smtp = await startSmtpServer({
    async onMail() {
      mails += 1;
      await pause(MAIL_MS);
    },
  });

  async function measure(args: string[], env: Record<string, string> = {}): Promise<number> {
    const program = spawn(process.execPath, args, { env, stdio: "ignore" });
    const before = mails;
    while (mails < before + WARM_UP_MAILS) await running(program);
    const [first, startedAt] = [mails, performance.now()];
    await pause(TURN_MS);
    const perSecond = ((mails - first) * 1000) / (performance.now() - startedAt);
    program.kill("SIGTERM");
    await once(program, "exit");
    return perSecond;
  }

  const ratios = await withDatabase(async (db, url) => {
    // Enough for every turn, and the mail before and after it.
    await addMany(db, Math.ceil((turns + 1) * (TURN_MS / 1000 + 5) * MAX_PER_SECOND * MAX_IN_FLIGHT));
    const { id } = await createMessage(db, OPERATOR, {
      kind: "announcement",
      subject: "News",
      body: "Hi {{firstName}}",
      audience: {},
      pace: null,
    });
    await prepareMessage(db, OPERATOR, id);
    await startMessage(db, OPERATOR, id);
    const env = { ...MAIL_ENV, DATABASE_URL: url, SMTP_URL: smtp.url, MAIL_PER_MINUTE: "1000000" };
    const measured: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const ours = await measure(["worker/main.ts"], env);
      const bare = await measure(["tests/bench/mail/bare-sender.ts", smtp.url, String(MAX_IN_FLIGHT)]);
      console.log(`${ours.toFixed(1)} mails/s, nodemailer alone ${bare.toFixed(1)}`);
      measured.push(ours / bare);
    }
    return measured;
  });
  await smtp.stop();
  return median(ratios);
}

async function running(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null) throw new Error(`${program.spawnargs.join(" ")} exited`);
  await pause(10);
}
