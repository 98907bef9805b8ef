import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { executeOn } from "#tests/drills/harness/execute.ts";
import type { Ledger } from "#tests/drills/harness/ledger.ts";
import { onPostgres, underLoad } from "#tests/drills/harness/service.ts";
import { median } from "#tests/support/quantile.ts";

/** With 200 ms per write and 50 sign-ups per batch, an instance accepts 250 sign-ups/s on any machine. */
const BATCH_SIZE = 50;
/** Delays writes in PostgreSQL, before they lock a row. A proxy in this process would compete with the clients. */
const SLOW_WRITES = `
  create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return null; end';
  create trigger wait before insert on sign_ups for each statement execute function wait()`;
/** Maximum clients without rejections: each of two instances has one batch being written and one waiting. */
const CAPACITY = 4 * BATCH_SIZE;
/**
 * Rejected clients retry after a pause, so five times the load takes 300 more clients on an idle machine, and this many
 * on a busy one.
 */
const EXCESS_CLIENTS = 450;
const RETRY_MS = 100;
/** Maximum latency of accepted sign-ups, relative to the latency at maximum load. */
const MAX_SLOWDOWN = 2;

export const overload = underLoad({
  breaks: "five times the maximum load",
  shows: "excess sign-ups are rejected, and the others are accepted as fast as before",
  ...onPostgres,
  async prepare(url) {
    await migrateDatabase(url);
    await executeOn(url, SLOW_WRITES);
  },
  changes: [["server/main.ts", "MAX_WAITING = 10_000", `MAX_WAITING = ${BATCH_SIZE}`]],
  clients: { count: CAPACITY, pauseMs: RETRY_MS },
  times: { short: 5, full: 10 },
  async scenario({ ledger, addClients, check, checkSpeed, figures }, seconds) {
    await pause(1000);
    const peak = await measureRates(ledger, seconds);
    addClients(EXCESS_CLIENTS);
    await pause(1000);
    const overloaded = await measureRates(ledger, seconds);
    const load = overloaded.sent / peak.accepted;
    const throughput = overloaded.accepted / peak.accepted;
    const slowdown = overloaded.acceptedMs / peak.acceptedMs;
    checkSpeed(slowdown <= MAX_SLOWDOWN, `an accepted sign-up took ${slowdown.toFixed(1)} times as long`);
    checkSpeed(load >= 5, `the load was only ${load.toFixed(1)} times the maximum throughput`);
    checkSpeed(throughput >= 0.8, `throughput fell to ${throughput.toFixed(2)} of its maximum`);
    check(!ledger.others(201, 429, 503), `a sign-up got neither 201, 429 nor 503, but ${ledger.others(201, 429, 503)}`);
    Object.assign(figures, { load, throughput, slowdown });
  },
  controls: [
    {
      without: "a limit on the queue",
      finds: /^an accepted sign-up took/,
      changes: [
        ["server/main.ts", "MAX_WAITING = 10_000", "MAX_WAITING = 1_000_000_000"],
        // Keeps batches small, so that excess load increases waits instead of throughput.
        ["core/sign-ups/join.ts", "MAX_BATCH_SIZE = 1000", `MAX_BATCH_SIZE = ${BATCH_SIZE}`],
      ],
    },
  ],
});

/** Sent and accepted sign-ups per second, and the median latency of accepted ones. */
async function measureRates(ledger: Ledger, seconds: number) {
  ledger.clear();
  await pause(seconds * 1000);
  const accepted = ledger.entries.filter(({ status }) => status === 201);
  return {
    accepted: accepted.length / seconds,
    sent: ledger.entries.length / seconds,
    acceptedMs: median(accepted.map(({ ms }) => ms)),
  };
}

/**
 * Slow headers (slowloris), then slow bodies, then slow reads of the response, while every sign-up opens a new
 * connection. The attacks stay below the limit of 10,000 connections, so sign-ups still get a connection. In the
 * control, the file descriptor limit is lower than the number of attacks.
 */
export const slowConnections = underLoad({
  breaks: "slow connections (slowloris)",
  shows: "they use nothing but their own connections",
  ...onPostgres,
  wrappers: [[]],
  clients: { count: 8, keepAlive: false },
  times: { short: 3, full: 15 },
  async scenario({ origin, ledger, check }, seconds) {
    for (const attack of [
      ["-H", "-t", "POST", "-u", origin + WAITLIST_PATH],
      ["-B", "-t", "POST", "-s", "8192", "-u", origin + WAITLIST_PATH],
      ["-X", "-w", "10", "-y", "20", "-z", "5", "-u", `${origin}/`],
    ]) {
      const options = ["-c", "4000", "-r", "2000", "-i", "2", "-l", String(seconds), "-p", "3"];
      const [code] = await once(spawn("slowhttptest", [...options, ...attack], { stdio: "ignore" }), "exit");
      if (code !== 0) throw new Error(`slowhttptest ended with ${code}`);
    }
    const all = ledger.entries.length;
    const failed = all - ledger.count(201);
    check(failed <= all / 1000, `more than 0.1 % of ${all} sign-ups failed: ${ledger.others(201)}`);
  },
  controls: [
    {
      without: "enough file descriptors",
      finds: /^more than 0\.1 %/,
      wrappers: [["prlimit", "--nofile=1000:1000"]],
    },
  ],
});
