/** `npm run bench -- sign-ups`: sign-ups and reads a second, as ratios to the bare engine measured right before. */

import { STATS_PATH } from "#contract/paths.ts";
import { verifyTotals } from "#core/waitlist/totals.ts";
import { type Driven, drive, forSeconds } from "#tests/support/load.ts";
import { median } from "#tests/support/quantile.ts";
import { newcomers, readStats } from "#tests/support/requests.ts";
import { saveResults } from "#tests/support/results.ts";
import { startProgram } from "#tools/dev/running-site.ts";
import { type Bare, commitBare, createBareTable } from "./bare-postgres.ts";
import { startService } from "./servers.ts";

interface Round {
  /** By the number of clients. */
  bare: Map<number, Bare>;
  /** By the number of connections and of instances. */
  posts: Map<string, Driven>;
  bareReads: Driven;
  reads: Driven;
}

const ROUNDS = 3;
const SECONDS = 5;

const service = await startService();
await createBareTable(service.postgres.url);
let acknowledged = 0;
const newcomer = newcomers(() => {
  acknowledged += 1;
});
const post = (connections: number, instances: number, seconds = SECONDS) =>
  drive({ ports: service.ports.slice(0, instances), connections, next: forSeconds(seconds, newcomer) });
const read = (ports: number[]) => drive({ ports, connections: 64, next: forSeconds(SECONDS, () => readStats) });

// Code that has not been optimised yet, and an index of one page, say nothing about a launch day.
await post(64, 2, 10);

const stats = await fetch(`http://127.0.0.1:${service.ports[0]}${STATS_PATH}`);
// Those that Node adds by itself are left to it.
const own = ["connection", "content-length", "date", "keep-alive"];
const headers = Object.fromEntries([...stats.headers].filter(([name]) => !own.includes(name)));
const bareRoute = await startProgram([
  "tests/bench/bare-route.ts",
  JSON.stringify({ headers, body: await stats.text() }),
]);
const barePort = Number(new URL(bareRoute.origin).port);

const rounds: Round[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const bare = new Map<number, Bare>();
  for (const clients of [1, 8, 32, 64, 256]) {
    bare.set(clients, await commitBare(service.postgres.url, clients, SECONDS));
  }
  const posts = new Map<string, Driven>();
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
  console.log(`Round ${round} of ${ROUNDS} is over`);
}
await bareRoute.stop();
const { exact, kept } = await verifyTotals(service.db);
await service.stop();

const bareBest = ({ bare }: Round) => Math.max(...[8, 32, 64].map((clients) => bare.get(clients)?.perSecond ?? 0));
const posted = (round: Round, how: string) => round.posts.get(how) ?? unmeasured();
const bareWith = (round: Round, clients: number) => round.bare.get(clients) ?? unmeasured();
function unmeasured(): never {
  throw new Error("A round is incomplete");
}

/** What was measured beside what it is compared with, round by round: the median and the spread of their ratio. */
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

/** How many instances serve a number of connections best depends on the cores; the better arrangement counts. */
function better<Compared extends { ratio: number }>(one: Compared, two: Compared): Compared {
  return one.ratio >= two.ratio ? one : two;
}

const postRate = (how: string) => compare((round) => posted(round, how).perSecond, bareBest);
const table = {
  "POST/s, 64 on one instance": postRate("64 on 1"),
  "POST/s, 64 on two": postRate("64 on 2"),
  "POST/s, 256 on one": postRate("256 on 1"),
  "POST/s, 256 on two": postRate("256 on 2"),
  "POST p99 of 256 on two, ms": compare(
    (round) => posted(round, "256 on 2").p99Ms,
    (round) => bareWith(round, 256).p99Ms,
  ),
  "POST p50 alone, ms": compare(
    (round) => posted(round, "1 on 1").p50Ms,
    (round) => bareWith(round, 1).p50Ms,
  ),
  "GET stats/s": compare(
    (round) => round.reads.perSecond,
    (round) => round.bareReads.perSecond,
  ),
};
const readable = (value: number) => (value < 100 ? Number(value.toFixed(2)) : Math.round(value));
console.table(
  Object.fromEntries(
    Object.entries(table).map(([what, row]) => [
      what,
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, readable(value)])),
    ]),
  ),
);

const isExact = exact && kept.totalUsers === acknowledged;
console.log(`${acknowledged} acknowledged, ${kept.totalUsers} on the list: ${isExact ? "exact" : "NOT EXACT"}`);
const alone = table["POST p50 alone, ms"];
await saveResults("bench", {
  post: {
    64: better(table["POST/s, 64 on one instance"], table["POST/s, 64 on two"]),
    256: better(table["POST/s, 256 on one"], table["POST/s, 256 on two"]),
  },
  p99: table["POST p99 of 256 on two, ms"],
  lone: { extraMs: alone.ours - alone.bare },
  stats: table["GET stats/s"],
  exact: isExact,
});
process.exitCode = isExact ? 0 : 1;
