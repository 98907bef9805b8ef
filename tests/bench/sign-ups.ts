/**
 * `npm run bench -- sign-ups`: throughput and latency of sign-ups and reads, relative to bare PostgreSQL and a bare
 * Fastify route measured in the same round.
 */

import { STATS_PATH } from "#contract/paths.ts";
import { verifyTotals } from "#core/sign-ups/totals.ts";
import { forSeconds, type LoadResult, runLoad } from "#tests/support/load.ts";
import { median } from "#tests/support/quantile.ts";
import { readStats, uniqueSignUps } from "#tests/support/requests.ts";
import { saveResults } from "#tests/support/results.ts";
import { startProgram } from "#tools/dev/running-site.ts";
import { createBareTable, type PgbenchResult, runPgbench } from "./bare-postgres.ts";
import { compareCpuTime } from "./cpu-time.ts";
import { startService } from "./servers.ts";

interface Round {
  /** By number of clients. */
  bare: Map<number, PgbenchResult>;
  /** By number of connections and instances, such as "64 on 2". */
  posts: Map<string, LoadResult>;
  bareReads: LoadResult;
  reads: LoadResult;
}

const ROUNDS = 3;
const SECONDS = 5;

const service = await startService();
await createBareTable(service.postgres.url);
let acknowledged = 0;
const nextSignUp = uniqueSignUps(() => {
  acknowledged += 1;
});
const post = (connections: number, instances: number, seconds = SECONDS) =>
  runLoad({ ports: service.ports.slice(0, instances), connections, next: forSeconds(seconds, nextSignUp) });
const read = (ports: number[]) => runLoad({ ports, connections: 64, next: forSeconds(SECONDS, () => readStats) });

// Warm-up: code that V8 hasn't optimized yet and an index of one page would say nothing about a launch day.
await post(64, 2, 10);

const stats = await fetch(`http://127.0.0.1:${service.ports[0]}${STATS_PATH}`);
// Node adds these headers itself.
const nodeHeaders = ["connection", "content-length", "date", "keep-alive"];
const headers = Object.fromEntries([...stats.headers].filter(([name]) => !nodeHeaders.includes(name)));
const bareRoute = await startProgram([
  "tests/bench/bare-route.ts",
  JSON.stringify({ headers, body: await stats.text() }),
]);
const barePort = Number(new URL(bareRoute.origin).port);

const rounds: Round[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const bare = new Map<number, PgbenchResult>();
  for (const clients of [1, 8, 32, 64, 256]) {
    bare.set(clients, await runPgbench(service.postgres.url, clients, SECONDS));
  }
  const posts = new Map<string, LoadResult>();
  for (const [connections, instances] of [
    [1, 1],
    [64, 1],
    [64, 2],
    [256, 1],
    [256, 2],
  ] as const) {
    posts.set(`${connections} on ${instances}`, await post(connections, instances));
  }
  rounds.push({ bare, posts, bareReads: await read([barePort]), reads: await read(service.ports.slice(0, 1)) });
  console.log(`Round ${round} of ${ROUNDS} done`);
}
await bareRoute.stop();
const { exact, kept } = await verifyTotals(service.db);
// Last, because wrk doesn't wait for its last responses.
const cpu = await compareCpuTime(service);
await service.stop();

const bareBest = ({ bare }: Round) => Math.max(...[8, 32, 64].map((clients) => bare.get(clients)?.perSecond ?? 0));
const postResult = (round: Round, configuration: string) => round.posts.get(configuration) ?? missing();
const bareResult = (round: Round, clients: number) => round.bare.get(clients) ?? missing();
function missing(): never {
  throw new Error("A round is incomplete");
}

/** Medians over the rounds of our value, the bare one and their ratio, and the spread of the ratio. */
function compare(ours: (round: Round) => number, theirs: (round: Round) => number) {
  const ratios = rounds.map((round) => ours(round) / theirs(round));
  return {
    ours: median(rounds.map(ours)),
    bare: median(rounds.map(theirs)),
    ratio: median(ratios),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
  };
}

/** The better of two configurations: which number of instances is best depends on the machine's cores. */
function better<Compared extends { ratio: number }>(one: Compared, two: Compared): Compared {
  return one.ratio >= two.ratio ? one : two;
}

const postRate = (configuration: string) => compare((round) => postResult(round, configuration).perSecond, bareBest);
const table = {
  "POST requests/s, 64 connections, 1 instance": postRate("64 on 1"),
  "POST requests/s, 64 connections, 2 instances": postRate("64 on 2"),
  "POST requests/s, 256 connections, 1 instance": postRate("256 on 1"),
  "POST requests/s, 256 connections, 2 instances": postRate("256 on 2"),
  "POST p99 ms, 256 connections, 2 instances": compare(
    (round) => postResult(round, "256 on 2").p99Ms,
    (round) => bareResult(round, 256).p99Ms,
  ),
  "POST p50 ms, 1 connection, 1 instance": compare(
    (round) => postResult(round, "1 on 1").p50Ms,
    (round) => bareResult(round, 1).p50Ms,
  ),
  "GET stats requests/s, 64 connections, 1 instance": compare(
    (round) => round.reads.perSecond,
    (round) => round.bareReads.perSecond,
  ),
};
const rounded = (value: number) => (value < 100 ? Number(value.toFixed(2)) : Math.round(value));
console.table(
  Object.fromEntries(
    Object.entries(table).map(([title, row]) => [
      title,
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, rounded(value)])),
    ]),
  ),
);

const isExact = exact && kept.totalUsers === acknowledged;
console.log(`${acknowledged} acknowledged, ${kept.totalUsers} on the list: ${isExact ? "exact" : "NOT EXACT"}`);
const alone = table["POST p50 ms, 1 connection, 1 instance"];
await saveResults("bench", {
  post: {
    64: better(
      table["POST requests/s, 64 connections, 1 instance"],
      table["POST requests/s, 64 connections, 2 instances"],
    ),
    256: better(
      table["POST requests/s, 256 connections, 1 instance"],
      table["POST requests/s, 256 connections, 2 instances"],
    ),
  },
  p99: table["POST p99 ms, 256 connections, 2 instances"],
  lone: { extraMs: alone.ours - alone.bare },
  stats: table["GET stats requests/s, 64 connections, 1 instance"],
  cpu,
  exact: isExact,
});
process.exitCode = isExact ? 0 : 1;
