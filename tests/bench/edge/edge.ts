/**
 * `npm run bench -- edge`: Varnish before one server. How much of a crowd of readers reaches the server, what they get while
 * it is gone, and reads a second beside a bare Varnish whose answers are as large.
 */
import { setTimeout as pause } from "node:timers/promises";
import { STATS_PATH } from "#contract/paths.ts";
import { migrateDatabase } from "#core/database/migrate.ts";
import { startEdge } from "#tests/support/edge.ts";
import { type Driven, drive, forSeconds } from "#tests/support/load.ts";
import { post } from "#tests/support/post.ts";
import { median } from "#tests/support/quantile.ts";
import { readStats } from "#tests/support/requests.ts";
import { saveResults } from "#tests/support/results.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { startBareVarnish } from "./bare-varnish.ts";
import { rateOf, sizeOf } from "./readers.ts";
import { reads } from "./reads.ts";

const READS = 200_000;
const GONE_SECONDS = 20;
const ROUNDS = 3;
/** Each of a second, ours and the other's in turn: what else the machine does meanwhile hits both. */
const SLICES = 5;

const postgres = await startScratchPostgres();
await migrateDatabase(postgres.url);
const env = { DATABASE_URL: postgres.url, PORT: String(await freePort()) };
let server = await startServer(env);
const edge = await startEdge(Number(env.PORT));
const ports = [Number(new URL(edge.origin).port)];
const stats = async () => (await fetch(edge.origin + STATS_PATH)).text();

let wrong = 0;
const read = reads(() => {
  wrong += 1;
});

/** What Varnish counted during the work. */
async function counted(counter: string, work: () => Promise<unknown>): Promise<number> {
  const before = edge.count(counter);
  await work();
  return edge.count(counter) - before;
}

/** How many were answered by anything but the page and the stats. */
function failures({ statuses }: Driven): number {
  return statuses.entries().reduce((sum, [status, times]) => (status === 200 ? sum : sum + times), 0);
}

await post(edge.origin);
let left = READS;
const crowd = { failures: 0, perSecond: 0 };
const hits = await counted("cache_hit", async () => {
  const driven = await drive({ ports, connections: 64, next: () => (left-- > 0 ? read() : undefined) });
  crowd.failures = failures(driven);
  crowd.perSecond = driven.perSecond;
});
const fetches = await counted("backend_req", () =>
  drive({ ports, connections: 64, next: forSeconds(10, () => readStats) }),
);

const lastStats = await stats();
process.kill(server.pid, "SIGKILL");
const gone = await drive({ ports, connections: 64, next: forSeconds(GONE_SECONDS, read) });
const keptStats = (await stats()) === lastStats;
server = await startServer(env);
const back = performance.now();
while ((await post(edge.origin)).status !== 201) await pause(20);
while ((await stats()) === lastStats) await pause(20);
const freshMs = performance.now() - back;

const bare = await startBareVarnish();
const bareHead = await sizeOf(`${bare.origin}/0`);

async function compare(path: string) {
  const ours = edge.origin + path;
  const theirs = `${bare.origin}/${(await sizeOf(ours)) - bareHead}`;
  const rounds: { ours: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sum = { ours: 0, bare: 0 };
    for (let slice = 0; slice < SLICES; slice += 1) {
      sum.ours += await rateOf(ours, 1);
      sum.bare += await rateOf(theirs, 1);
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
    perSecond: Math.round(crowd.perSecond),
    hitRate: hits / READS,
    failures: crowd.failures,
    wrong,
  },
  statsFetchesIn10s: fetches,
  gone: { seconds: GONE_SECONDS, perSecond: Math.round(gone.perSecond), failures: failures(gone), keptStats },
  freshAfterMs: Math.round(freshMs),
  rates,
};
console.dir(results, { depth: 3 });
await saveResults("edge", results);
const isWell =
  results.crowd.hitRate >= 0.999 &&
  crowd.failures + wrong + failures(gone) === 0 &&
  keptStats &&
  fetches <= 11 &&
  freshMs < 2000;
console.log(isWell ? "As it should be" : "NOT as it should be");
process.exitCode = isWell ? 0 : 1;
