import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Email } from "postal-mime";
import { expect, test } from "vitest";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { fill } from "#tests/support/fill.ts";
import { post } from "#tests/support/post.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { MAX_IN_FLIGHT } from "#worker/start.ts";

const context = useTestDatabase();
/** `npm run drill -- mail` kills two workers 20 times in a wave of 10,000. */
const KILLS = 3;
const OUTAGE_S = 10;
const PEOPLE = 40 * KILLS;
const SIGN_UPS_PER_S = 20;

const settings = (smtpUrl: string) => ({
  DATABASE_URL: context.url,
  SMTP_URL: smtpUrl,
  SECRET: "an example secret of 32 characters",
  PUBLIC_ORIGIN: "https://farwatch.example",
  MAIL_PER_MINUTE: "1000000",
});

const countDistinct = (mails: Email[]) => new Set(mails.map(({ messageId }) => messageId)).size;

async function startWorker(smtpUrl: string): Promise<ChildProcess> {
  const worker = spawn(process.execPath, ["worker/main.ts"], {
    env: settings(smtpUrl),
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(worker.stdout)) if (line.includes("Mail worker started")) break;
  return worker;
}

test(`a mail worker killed ${KILLS} times sends every mail, with at most ${MAX_IN_FLIGHT} duplicates (same Message-ID) per kill`, {
  timeout: 10 * 60_000,
}, async () => {
  const smtp = await startScratchSmtp();
  // A kill between receipt and acknowledgment is what causes duplicates.
  smtp.ackDelayMs = 40;
  await fill(context.db, PEOPLE);
  await context.db.pool.query("update sign_ups set mail_due = true");
  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker = await startWorker(smtp.url);
    await pause(300 + Math.random() * 1000);
    worker.kill("SIGKILL");
    await once(worker, "exit");
  }
  // As if their leases had ended.
  await context.db.pool.query("update deliveries set next_try_at = now() where state = 'pending'");
  const killedAt = performance.now();
  const last = await startWorker(smtp.url);
  await expect.poll(() => countDistinct(smtp.mails), { timeout: 5 * 60_000, interval: 200 }).toBe(PEOPLE);
  const sentAfter = Math.round((performance.now() - killedAt) / 1000);
  await expect
    .poll(async () => (await context.db.pool.query("select from deliveries where state = 'pending'")).rowCount, {
      timeout: 60_000,
    })
    .toBe(0);
  console.log(`${smtp.mails.length - PEOPLE} duplicates; all mails sent ${sentAfter} s after the last kill`);
  expect(smtp.mails.length - PEOPLE).toBeLessThanOrEqual(KILLS * MAX_IN_FLIGHT);
  last.kill("SIGTERM");
  expect(await once(last, "exit")).toEqual([0, null]);
  await smtp.stop();
});

test(`all mails are sent once, within two minutes after an SMTP outage of ${OUTAGE_S} s`, {
  timeout: (OUTAGE_S + 300) * 1000,
}, async () => {
  await emptyWaitlist(context.db);
  const port = await freePort();
  const server = await startServer({ ...settings(`smtp://127.0.0.1:${port}`), LIMIT_PER_CLIENT: "1000000" });
  let people = 0;
  for (const end = performance.now() + OUTAGE_S * 1000; performance.now() < end; people += 1) {
    expect((await post(server.origin)).status).toBe(201);
    await pause(1000 / SIGN_UPS_PER_S);
  }
  const backAt = performance.now();
  const smtp = await startScratchSmtp(port);
  await expect.poll(() => countDistinct(smtp.mails), { timeout: 4 * 60_000, interval: 200 }).toBe(people);
  const sentAfter = Math.round((performance.now() - backAt) / 1000);
  console.log(`${people} mails sent ${sentAfter} s after the mail server was back`);
  expect(sentAfter).toBeLessThanOrEqual(120);
  await pause(2000);
  expect(smtp.mails).toHaveLength(people);
  await server.stop();
  await smtp.stop();
});
