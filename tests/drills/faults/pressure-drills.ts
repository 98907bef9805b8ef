import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Drill, drill, perform } from "./drill.ts";
import { endedOtherwise, type Ledger } from "./ledger.ts";
import { startSlowPostgres } from "./slow-postgres.ts";

/** With a fifth of a second to a write and fifty in a batch, an instance can take 250 a second, whatever the machine. */
const BATCH_MS = 200;
const BATCH = 50;
/** A batch that is written and one that waits, for each of two instances: as many as can be without one being refused. */
const FULL_HOUSE = 4 * BATCH;
/** Whoever is refused comes again after 20 ms; this many more who do make five times that load. */
const IMPATIENT = 60;

export function overload(seconds: number): Drill {
  return drill(
    "five times the load it can take",
    {
      postgres: () => startSlowPostgres(BATCH_MS),
      env: { LIMIT_WAITING: String(BATCH) },
      visitors: { count: FULL_HOUSE },
    },
    async ({ crowd }, check) => {
      await pause(1000);
      const peak = await ratesOver(crowd.ledger, seconds);
      crowd.grow(IMPATIENT);
      await pause(1000);
      const over = await ratesOver(crowd.ledger, seconds);
      const ratio = over.taken / peak.taken;
      check(over.tried >= 5 * peak.taken, `the load is ${(over.tried / peak.taken).toFixed(1)} times what it takes`);
      check(ratio >= 0.8, `${ratio.toFixed(2)} of the peak is still taken`);
      const failures = endedOtherwise(crowd.ledger, [201, 429, 503]);
      check(failures === 0, `all others are told to come back, but for ${failures}`);
    },
  );
}

/** Sign-ups a second, those tried and those taken. */
async function ratesOver({ acknowledged, statuses }: Ledger, seconds: number) {
  const tries = () => statuses.values().reduce((sum, times) => sum + times, 0);
  const [taken, tried] = [acknowledged.size, tries()];
  await pause(seconds * 1000);
  return { taken: (acknowledged.size - taken) / seconds, tried: (tries() - tried) / seconds };
}

/** Every visitor comes on a new connection; the control is a server that may have too few of them. */
function crowded(name: string, besiege: (origin: string) => Promise<void>): Drill {
  const run = (under: string[]) =>
    perform(
      { postgres: startScratchPostgres, under: [under], visitors: { count: 8, keepAlive: false } },
      async ({ origin, crowd: { ledger } }, check) => {
        await besiege(origin);
        const failures = endedOtherwise(ledger, [201]);
        const all = ledger.sent.size;
        check(failures <= all / 1000, `99.9 % get through: ${failures} of ${all} did not`);
      },
    );
  return {
    name,
    run: () => run([]),
    control: async () => (await run(["prlimit", "--nofile=1000:1000"])).broken.length > 0,
  };
}

/** Headers in drops, then bodies in drops, then answers that are hardly read. */
export function slowConnections(count: number, seconds: number): Drill {
  return crowded(`${count} slow connections`, async (origin) => {
    for (const way of [
      ["-H", "-t", "POST", "-u", origin + WAITLIST_PATH],
      ["-B", "-t", "POST", "-s", "8192", "-u", origin + WAITLIST_PATH],
      ["-X", "-w", "10", "-y", "20", "-z", "5", "-u", `${origin}/`],
    ]) {
      const how = ["-c", String(count), "-r", "2000", "-i", "2", "-l", String(seconds), "-p", "3"];
      const [code] = await once(spawn("slowhttptest", [...how, ...way], { stdio: "ignore" }), "exit");
      if (code !== 0) throw new Error(`slowhttptest ended with ${code}`);
    }
  });
}

/** Connections that asked for something once, and now stay. */
export function idleConnections(count: number, seconds: number): Drill {
  return crowded(`${count} idle connections`, async (origin) => {
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
