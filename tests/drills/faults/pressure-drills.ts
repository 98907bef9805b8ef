import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { median } from "#tests/support/quantile.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { countUnexpected, type Ledger } from "./clients.ts";
import { type Drill, drill, runScenario } from "./drill.ts";
import { startSlowPostgres } from "./slow-postgres.ts";

/** With 200 ms per write and 50 sign-ups per batch, an instance accepts 250 sign-ups/s on any machine. */
const BATCH_MS = 200;
const BATCH_SIZE = 50;
/** The most clients without a rejection: one batch being written and one waiting, on each of two instances. */
const CAPACITY = 4 * BATCH_SIZE;
/**
 * Rejected clients retry after a pause: on an idle machine 300 more make five times the load, on a busy one it takes
 * these.
 */
const EXCESS_CLIENTS = 450;
const RETRY_MS = 100;
/** The most that an accepted sign-up may take under overload, compared with the maximum load. */
const MAX_SLOWDOWN = 2;

export function overload(seconds: number): Drill {
  return drill(
    "five times the maximum load",
    {
      postgres: () => startSlowPostgres(BATCH_MS),
      preload: "short-queue",
      clients: { count: CAPACITY, pauseMs: RETRY_MS },
    },
    async ({ clients }, check) => {
      await pause(1000);
      const peak = await measureRates(clients.ledger, seconds);
      clients.add(EXCESS_CLIENTS);
      await pause(1000);
      const overloaded = await measureRates(clients.ledger, seconds);
      const load = overloaded.sent / peak.accepted;
      const throughput = overloaded.accepted / peak.accepted;
      const slowdown = overloaded.acceptedMs / peak.acceptedMs;
      check(slowdown <= MAX_SLOWDOWN, `an accepted sign-up took ${slowdown.toFixed(1)} times as long`);
      check(load >= 5, `the load was only ${load.toFixed(1)} times the maximum throughput`);
      check(throughput >= 0.8, `throughput fell to ${throughput.toFixed(2)} of its maximum`);
      const unexpected = countUnexpected(clients.ledger, [201, 429, 503]);
      check(unexpected === 0, `${unexpected} responses were neither 201, 429 nor 503`);
    },
    [
      {
        without: "a limit on the queue",
        by: { preload: "write-small-batches" },
        finds: /^an accepted sign-up took/,
      },
    ],
  );
}

/** Sign-ups per second, sent and accepted, and the median latency of the accepted ones. */
async function measureRates({ acknowledged, acknowledgedMs, statuses }: Ledger, seconds: number) {
  const countSent = () => statuses.values().reduce((sum, count) => sum + count, 0);
  const [accepted, sent] = [acknowledged.size, countSent()];
  await pause(seconds * 1000);
  return {
    accepted: (acknowledged.size - accepted) / seconds,
    sent: (countSent() - sent) / seconds,
    acceptedMs: median(acknowledgedMs.slice(accepted)),
  };
}

/**
 * Every sign-up needs a new connection. The drill rests on room for all of them: its floods stay below the maximum of
 * 10,000 connections, and in the control the file descriptor limit lowers that maximum below the flood.
 */
function connectionFlood(name: string, flood: (origin: string) => Promise<void>): Drill {
  const run = (wrapper: string[]) =>
    runScenario(
      { postgres: startScratchPostgres, wrappers: [wrapper], clients: { count: 8, keepAlive: false } },
      async ({ origin, clients: { ledger } }, check) => {
        await flood(origin);
        const failed = countUnexpected(ledger, [201]);
        const all = ledger.sent.size;
        check(failed <= all / 1000, `${failed} of ${all} sign-ups failed, more than 0.1 %`);
      },
    );
  return {
    name,
    run: () => run([]),
    controls: [
      {
        without: "enough file descriptors",
        run: () => run(["prlimit", "--nofile=1000:1000"]),
        finds: /sign-ups failed, more than 0\.1 %$/,
      },
    ],
  };
}

/** Slow headers (slowloris), then slow bodies, then slow reads of the response. */
export function slowConnections(count: number, seconds: number): Drill {
  return connectionFlood(`${count} slow connections (slowloris)`, async (origin) => {
    for (const attack of [
      ["-H", "-t", "POST", "-u", origin + WAITLIST_PATH],
      ["-B", "-t", "POST", "-s", "8192", "-u", origin + WAITLIST_PATH],
      ["-X", "-w", "10", "-y", "20", "-z", "5", "-u", `${origin}/`],
    ]) {
      const options = ["-c", String(count), "-r", "2000", "-i", "2", "-l", String(seconds), "-p", "3"];
      const [code] = await once(spawn("slowhttptest", [...options, ...attack], { stdio: "ignore" }), "exit");
      if (code !== 0) throw new Error(`slowhttptest ended with ${code}`);
    }
  });
}

/** Connections that send one request and then stay open. */
export function idleConnections(count: number, seconds: number): Drill {
  return connectionFlood(`${count} idle connections`, async (origin) => {
    const { hostname, port } = new URL(origin);
    const idle: Socket[] = [];
    while (idle.length < count) {
      const socket = connect(Number(port), hostname).on("error", () => {});
      idle.push(socket);
      socket.write(`GET ${STATS_PATH} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
      if (idle.length % 100 === 0) await pause(20);
    }
    await pause(seconds * 1000);
    for (const socket of idle) socket.destroy();
  });
}
