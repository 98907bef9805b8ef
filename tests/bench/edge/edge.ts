/**
 * `npm run bench -- edge`: Varnish in front of one server. Measures the cache hit rate, the responses while the server
 * is down, and the throughput relative to a bare Varnish with responses of the same size.
 */
import { setTimeout as pause } from "node:timers/promises";
import { STATS_PATH } from "#contract/paths.ts";
import { startEdge } from "#tests/support/edge.ts";
import { forSeconds, type LoadResult, runLoad } from "#tests/support/load.ts";
import { post } from "#tests/support/post.ts";
import { median } from "#tests/support/quantile.ts";
import { readStats } from "#tests/support/requests.ts";
import { saveResults } from "#tests/support/results.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { migrateDatabase } from "#worker/migrate.ts";
import { startBareVarnish } from "./bare-varnish.ts";
import { requestRate, responseSize } from "./readers.ts";
import { pageAndStatsReads } from "./reads.ts";

const READS = 200_000;
const OUTAGE_SECONDS = 20;
const ROUNDS = 3;
/** One-second slices, alternating between ours and bare Varnish, so that other load on the machine affects both. */
const SLICES = 5;

const postgres = await startScratchPostgres();
await migrateDatabase(postgres.url);
const env = { DATABASE_URL: postgres.url, PORT: String(await freePort()) };
let server = await startServer(env);
const edge = await startEdge(Number(env.PORT));
const ports = [Number(new URL(edge.origin).port)];
const stats = async () => (await fetch(edge.origin + STATS_PATH)).text();

let wrong = 0;
const read = pageAndStatsReads(() => {
  wrong += 1;
});

/** How much a Varnish counter grew during the work. */
async function countDuring(counter: string, work: () => Promise<unknown>): Promise<number> {
  const before = edge.count(counter);
  await work();
  return edge.count(counter) - before;
}

/** How many responses were not a 200. */
function countFailures({ statuses }: LoadResult): number {
  return statuses.entries().reduce((sum, [status, count]) => (status === 200 ? sum : sum + count), 0);
}

await post(edge.origin);
let left = READS;
const cached = { failures: 0, perSecond: 0 };
const hits = await countDuring("cache_hit", async () => {
  const result = await runLoad({ ports, connections: 64, next: () => (left-- > 0 ? read() : undefined) });
  cached.failures = countFailures(result);
  cached.perSecond = result.perSecond;
});
const fetches = await countDuring("backend_req", () =>
  runLoad({ ports, connections: 64, next: forSeconds(10, () => readStats) }),
);

const lastStats = await stats();
process.kill(server.pid, "SIGKILL");
const outage = await runLoad({ ports, connections: 64, next: forSeconds(OUTAGE_SECONDS, read) });
const keptStats = (await stats()) === lastStats;
server = await startServer(env);
const restartedAt = performance.now();
while ((await post(edge.origin)).status !== 201) await pause(20);
while ((await stats()) === lastStats) await pause(20);
const freshMs = performance.now() - restartedAt;

const bare = await startBareVarnish();
const bareHeaderSize = await responseSize(`${bare.origin}/0`);

async function compare(path: string) {
  const ours = edge.origin + path;
  const theirs = `${bare.origin}/${(await responseSize(ours)) - bareHeaderSize}`;
  const rounds: { ours: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sum = { ours: 0, bare: 0 };
    for (let slice = 0; slice < SLICES; slice += 1) {
      sum.ours += await requestRate(ours, 1);
      sum.bare += await requestRate(theirs, 1);
    }
    rounds.push({ ours: sum.ours / SLICES, bare: sum.bare / SLICES });
  }
  const ratios = rounds.map((round) => round.ours / round.bare);
  return {
    ours: Math.round(median(rounds.map((round) => round.ours))),
    bare: Math.round(median(rounds.map((round) => round.bare))),
    ratio: median(ratios),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
  };
}

const rates = {
  page: await compare("/?utm_source=radio"),
  stats: await compare(`${STATS_PATH}?utm_source=radio`),
};

await bare.stop();
await edge.stop();
await server.stop();
await postgres.stop();

const results = {
  crowd: {
    reads: READS,
    perSecond: Math.round(cached.perSecond),
    hitRate: hits / READS,
    failures: cached.failures,
    wrong,
  },
  statsFetchesIn10s: fetches,
  gone: {
    seconds: OUTAGE_SECONDS,
    perSecond: Math.round(outage.perSecond),
    failures: countFailures(outage),
    keptStats,
  },
  freshAfterMs: Math.round(freshMs),
  rates,
};
console.dir(results, { depth: 3 });
await saveResults("edge", results);
const isAsExpected =
  results.crowd.hitRate >= 0.999 &&
  cached.failures + wrong + countFailures(outage) === 0 &&
  keptStats &&
  fetches <= 11 &&
  freshMs < 2000;
console.log(isAsExpected ? "passed" : "FAILED");
process.exitCode = isAsExpected ? 0 : 1;
