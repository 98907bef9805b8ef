import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "#core/config/config.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { MAIL_TIMEOUT_MS, startMailWorker } from "#worker/start.ts";

const SETTINGS = {
  SMTP_URL: "smtp://127.0.0.1:9",
  SECRET: "an example secret of 32 characters",
  PUBLIC_ORIGIN: "https://farwatch.example",
};
const OUTAGE = [50, "Database outage: writes are refused until it is over"];

let postgres: ScratchPostgres;
let admin: Database;
let url: string;
beforeAll(async () => {
  postgres = await startScratchPostgres();
  await migrateDatabase(postgres.url);
  admin = connect(postgres.url);
  await admin.pool.query("create role works superuser login password 'works'");
  url = Object.assign(new URL(postgres.url), { username: "works", password: "works" }).href;
});
afterAll(async () => {
  await admin.destroy();
  await postgres.stop();
});

/** Starts a separate worker, and waits until it is ready. */
async function startWorker() {
  const port = await freePort();
  const child = spawn(process.execPath, ["worker/main.ts"], {
    env: { ...process.env, ...SETTINGS, DATABASE_URL: url, PRIVATE_PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: { level: number; msg: string; err?: { message: string; stack: string } }[] = [];
  createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  await vi.waitUntil(async () => (await get("/ready"))?.status === 200, { timeout: 30_000 });
  const problems = () => lines.filter(({ level }) => level >= 40);
  return { child, get, problems, texts: () => problems().map(({ level, msg }) => [level, msg]) };
}

test("a worker whose role can't log in logs one outage, and its end", async () => {
  const worker = await startWorker();
  const allow = async () => void (await admin.pool.query("alter role works login"));
  onTestFinished(allow);
  await admin.pool.query("alter role works nologin");
  await admin.pool.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'works'");
  await pause(7000);
  expect(worker.texts()).toEqual([OUTAGE]);
  expect(await (await worker.get("/metrics"))?.text()).toMatch(/^farwatch_database_up 0$/m);
  await allow();
  await expect.poll(worker.texts).toEqual([OUTAGE, [40, "Database outage over"]]);
});

test("a worker whose database hangs logs the outage, and stops soon after SIGTERM", async () => {
  const worker = await startWorker();
  const { rows } = await admin.pool.query("select pid from pg_stat_activity where usename = 'works'");
  const pids = rows.map(({ pid }) => pid);
  const signal = (name: NodeJS.Signals) => pids.forEach((pid) => void process.kill(pid, name));
  signal("SIGSTOP");
  onTestFinished(() => signal("SIGCONT"));
  // The statement times out, then its rollback.
  await expect.poll(worker.texts, { timeout: 3 * MAIL_TIMEOUT_MS }).toEqual([OUTAGE]);
  const exited = once(worker.child, "exit");
  worker.child.kill("SIGTERM");
  expect(await Promise.race([exited, pause(3 * MAIL_TIMEOUT_MS, "still running")])).toEqual([0, null]);
}, 120_000);

test("a worker whose claim hangs for five minutes isn't alive, one without its database is", async () => {
  const { mail } = readConfig({ ...SETTINGS, DATABASE_URL: postgres.url });
  if (!mail) throw new Error("Mail is off");
  const db = connect(postgres.url);
  const holder = await admin.pool.connect();
  await holder.query("select pg_advisory_lock(hashtext('claim mail'))");
  const worker = startMailWorker(mail, db, () => {});
  onTestFinished(async () => {
    await holder.query("select pg_advisory_unlock_all()");
    holder.release();
    await worker.stop();
    await db.destroy();
  });
  await pause(1000);
  const now = performance.now();
  const later = vi.spyOn(performance, "now").mockReturnValue(now + 61_000);
  onTestFinished(() => void vi.restoreAllMocks());
  expect([worker.isReady(), worker.isLive()]).toEqual([false, true]);
  later.mockReturnValue(now + 301_000);
  expect(worker.isLive()).toBe(false);
});
