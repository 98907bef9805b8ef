/**
 * `npm run bench -- sign-ups`: throughput, latency and CPU time of sign-ups and reads, relative to bare PostgreSQL and a
 * bare Fastify route measured in the same round. A round in which bare PostgreSQL stood still is repeated.
 */
import { STATS_PATH } from "#contract/paths.ts";
import { verifyTotals } from "#core/sign-ups/totals.ts";
import { forSeconds, type LoadResult, runLoad } from "#tests/support/load.ts";
import { median } from "#tests/support/quantile.ts";
import { readStats, uniqueSignUps } from "#tests/support/requests.ts";
import { saveResults } from "#tests/support/results.ts";
import { createBareTable, type PgbenchResult, runPgbench } from "./bare-postgres.ts";
import { compareCpuTime } from "./cpu-time.ts";
import { rateOf } from "./rate-of.ts";
import { startBareRoute, startService } from "./servers.ts";

const ROUNDS = 3;
const MAX_REPEATS = 3;
const SECONDS = 5;
/** Even 256 clients of pgbench wait a tenth of this: a disk that takes longer measures itself. */
const MAX_BARE_P99_MS = 1000;

const service = await startService();
await createBareTable(service.postgres.url);
const acknowledged = new Set<string>();
const statuses = new Map<number, number>();
const nextSignUp = uniqueSignUps((email) => acknowledged.add(email));

async function post(connections: number, instances: number, seconds = SECONDS): Promise<LoadResult> {
  const ports = service.ports.slice(0, instances);
  const result = await runLoad({ ports, connections, next: forSeconds(seconds, nextSignUp) });
  for (const [status, count] of result.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
  return result;
}
const read = (ports: number[]) => runLoad({ ports, connections: 64, next: forSeconds(SECONDS, () => readStats) });

// Warm-up: code that V8 hasn't optimized yet and an index of one page would say nothing about a launch day.
await post(64, 2, 10);
const bareRoute = await startBareRoute(await fetch(`http://127.0.0.1:${service.ports[0]}${STATS_PATH}`));

type Figures = Record<string, { ours: number; bare: number }>;
const ALONE = "POST p50 ms, 1 connection, 1 instance";
const P99 = "POST p99 ms, 256 connections, 2 instances";
const READS = "GET stats requests/s, 64 connections, 1 instance";
const rateOn = (connections: number, instances: number) =>
  `POST requests/s, ${connections} connections, ${instances} ${instances === 1 ? "instance" : "instances"}`;

/** Undefined if bare PostgreSQL stood still. */
async function measureRound(): Promise<Figures | undefined> {
  const bare = (clients: number) => runPgbench(service.postgres.url, clients, SECONDS);
  const [alone, few, some, many, crowd] = [
    await bare(1),
    await bare(8),
    await bare(32),
    await bare(64),
    await bare(256),
  ];
  const isStill = ({ commits, p99Ms }: PgbenchResult) => !(commits > 0 && p99Ms < MAX_BARE_P99_MS);
  if ([alone, few, some, many, crowd].some(isStill)) return undefined;

  const best = Math.max(few.perSecond, some.perSecond, many.perSecond);
  const figures: Figures = { [ALONE]: { ours: (await post(1, 1)).p50Ms, bare: alone.p50Ms } };
  for (const connections of [64, 256]) {
    for (const instances of [1, 2]) {
      const result = await post(connections, instances);
      figures[rateOn(connections, instances)] = { ours: rateOf(201, result), bare: best };
      if (connections === 256 && instances === 2) figures[P99] = { ours: result.p99Ms, bare: crowd.p99Ms };
    }
  }
  const bareReads = await read([Number(new URL(bareRoute.origin).port)]);
  figures[READS] = { ours: rateOf(200, await read(service.ports.slice(0, 1))), bare: bareReads.perSecond };
  return figures;
}

const rounds: Figures[] = [];
let repeats = 0;
while (rounds.length < ROUNDS && repeats <= MAX_REPEATS) {
  const figures = await measureRound();
  if (figures) rounds.push(figures);
  else repeats += 1;
  console.log(figures ? `Round ${rounds.length} of ${ROUNDS} done` : "Bare PostgreSQL stood still: not counted");
}
await bareRoute.stop();

const { exact } = await verifyTotals(service.db);
const stored = await service.db.selectFrom("sign_ups").select("email").execute();
const lost = acknowledged.difference(new Set(stored.map(({ email }) => email))).size;
/** A 5xx: the commit may have succeeded all the same. */
const unknown = [...statuses].reduce((sum, [status, count]) => (status < 500 ? sum : sum + count), 0);
const isExact = exact && lost === 0 && stored.length <= acknowledged.size + unknown;
console.log(`Responses by status: ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(", ")}`);
console.log(
  `${acknowledged.size} acknowledged, ${unknown} of unknown outcome, ${stored.length} on the list: ${lost} lost, totals ${exact ? "exact" : "NOT EXACT"}`,
);

/** Medians over the rounds of our value, the bare one and their ratio, and the spread of the ratio. */
function compare(title: string) {
  const measured = rounds.flatMap((figures) => figures[title] ?? []);
  const ratios = measured.map(({ ours, bare }) => ours / bare);
  return {
    ours: median(measured.map(({ ours }) => ours)),
    bare: median(measured.map(({ bare }) => bare)),
    ratio: median(ratios),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
  };
}

/** Which number of instances is better depends on the machine's cores. */
function better(connections: number) {
  const [one, two] = [compare(rateOn(connections, 1)), compare(rateOn(connections, 2))];
  return one.ratio >= two.ratio ? one : two;
}

// Last, because wrk doesn't wait for its last responses.
const cpu = await compareCpuTime(service);
await service.stop();
const outcomes = {
  exact: isExact,
  lost,
  unknown,
  statuses: Object.fromEntries(statuses),
  rounds: rounds.length,
  repeats,
};
if (rounds.length === 0) {
  console.log(`No figures: bare PostgreSQL stood still in all of ${repeats} rounds`);
  await saveResults("bench", { cpu, ...outcomes });
} else {
  const rounded = (value: number) => (value < 100 ? Number(value.toFixed(2)) : Math.round(value));
  const row = (title: string) => Object.entries(compare(title)).map(([column, value]) => [column, rounded(value)]);
  const titles = Object.keys(rounds[0] ?? {});
  console.table(Object.fromEntries(titles.map((title) => [title, Object.fromEntries(row(title))])));
  const alone = compare(ALONE);
  const lone = { extraMs: alone.ours - alone.bare };
  const post = { 64: better(64), 256: better(256) };
  await saveResults("bench", { post, p99: compare(P99), lone, stats: compare(READS), cpu, ...outcomes });
}
process.exitCode = isExact && rounds.length === ROUNDS ? 0 : 1;
