import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { fill } from "#bench/waitlist/fill.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
/** `npm run drill:mail` asks for twenty. */
const KILLS = Number(process.env.MAIL_KILLS ?? 3);
const PEOPLE = 40 * KILLS;

async function startWorker(smtpUrl: string): Promise<ChildProcess> {
  const env = {
    DATABASE_URL: context.url,
    SMTP_URL: smtpUrl,
    SECRET: "x".repeat(32),
    PUBLIC_ORIGIN: "https://farwatch.example",
  };
  const worker = spawn(process.execPath, ["server/worker.ts"], {
    env: { ...env, MAIL_PER_MINUTE: "1000000" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(worker.stdout)) if (line.includes("is at work")) break;
  return worker;
}

test(`a mail worker killed ${KILLS} times: every mail goes out, one copy more for each kill at most, and known for one`, {
  timeout: 10 * 60_000,
}, async () => {
  const smtp = await startScratchSmtp();
  // Between taking a mail and saying so is when a kill hurts.
  smtp.thinkMs = 40;
  await fill(context.db, PEOPLE);
  await context.db.pool.query("update sign_ups set mail_due = true");
  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker = await startWorker(smtp.url);
    await pause(300 + Math.random() * 1000);
    worker.kill("SIGKILL");
    await once(worker, "exit");
  }
  const killedAt = performance.now();
  const last = await startWorker(smtp.url);
  const different = () => new Set(smtp.mails.map(({ messageId }) => messageId)).size;
  await expect.poll(different, { timeout: 5 * 60_000, interval: 200 }).toBe(PEOPLE);
  const outAfter = Math.round((performance.now() - killedAt) / 1000);
  await expect
    .poll(async () => (await context.db.pool.query("select from jobs.job where state < 'completed'")).rowCount, {
      timeout: 60_000,
    })
    .toBe(0);
  console.log(`${smtp.mails.length - PEOPLE} copies more, all out ${outAfter} s after the last kill`);
  expect(smtp.mails.length - PEOPLE).toBeLessThanOrEqual(KILLS);
  last.kill("SIGTERM");
  expect(await once(last, "exit")).toEqual([0, null]);
  await smtp.stop();
});
