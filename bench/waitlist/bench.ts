/** `npm run bench`: sign-ups and reads a second, as ratios to the bare engine measured right before. */
import { mkdir, writeFile } from "node:fs/promises";
import { STATS_PATH } from "#contract/paths.ts";
import { startProgram } from "#dev/running-site.ts";
import { verifyTotals } from "#server/waitlist/totals.ts";
import { type Bare, commitBare, createBareTable } from "./bare-postgres.ts";
import { type Driven, drive, forSeconds, quantile } from "./load.ts";
import { newcomers, readStats } from "./requests.ts";
import { startService } from "./servers.ts";

interface Round {
  /** By the number of clients. */
  bare: Map<number, Bare>;
  /** By the number of connections. */
  posts: Map<number, Driven>;
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
const post = (connections: number, seconds = SECONDS) =>
  drive({ ports: service.ports, connections, next: forSeconds(seconds, newcomer) });
const read = (ports: number[]) => drive({ ports, connections: 64, next: forSeconds(SECONDS, () => readStats) });

// Code that has not been optimised yet, and an index of one page, say nothing about a launch day.
await post(64, 10);

const stats = await (await fetch(`http://127.0.0.1:${service.ports[0]}${STATS_PATH}`)).text();
const bareRoute = await startProgram(["bench/waitlist/bare-route.ts", stats]);
const barePort = Number(new URL(bareRoute.origin).port);

const rounds: Round[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const bare = new Map<number, Bare>();
  for (const clients of [1, 8, 32, 64, 256]) {
    bare.set(clients, await commitBare(service.postgres.url, clients, SECONDS));
  }
  const posts = new Map<number, Driven>();
  for (const connections of [1, 64, 256]) posts.set(connections, await post(connections));
  rounds.push({ bare, posts, bareReads: await read([barePort]), reads: await read(service.ports.slice(0, 1)) });
  console.log(`Round ${round} of ${ROUNDS} is over`);
}
await bareRoute.stop();
const { exact, kept } = await verifyTotals(service.db);
await service.stop();

const bareBest = ({ bare }: Round) => Math.max(...[8, 32, 64].map((clients) => bare.get(clients)?.perSecond ?? 0));
const posts = (round: Round, connections: number) => round.posts.get(connections)?.perSecond ?? 0;

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

function median(values: number[]): number {
  return quantile(values, 0.5);
}

const table = {
  "POST/s, 64 connections": compare((round) => posts(round, 64), bareBest),
  "POST/s, 256 connections": compare((round) => posts(round, 256), bareBest),
  "POST p99 at 256, ms": compare(
    (round) => round.posts.get(256)?.p99Ms ?? 0,
    (round) => round.bare.get(256)?.p99Ms ?? 0,
  ),
  "POST p50 alone, ms": compare(
    (round) => round.posts.get(1)?.p50Ms ?? 0,
    (round) => round.bare.get(1)?.p50Ms ?? 0,
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
await mkdir("results", { recursive: true });
await writeFile(
  "results/bench.json",
  JSON.stringify({
    post: { 64: table["POST/s, 64 connections"], 256: table["POST/s, 256 connections"] },
    p99: table["POST p99 at 256, ms"],
    lone: { extraMs: alone.ours - alone.bare },
    stats: table["GET stats/s"],
    exact: isExact,
  }),
);
process.exitCode = isExact ? 0 : 1;
