/**
 * `npm run bench -- compare [commit]`: sign-ups of this version, relative to another commit's in the same run. The two
 * take turns, each with its own PostgreSQL. CPU time swings far less than throughput on a machine that others use.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cpuTicks, treeCpuTicks } from "#tests/support/cpu-time.ts";
import { forSeconds, runLoad } from "#tests/support/load.ts";
import { median } from "#tests/support/quantile.ts";
import { type Release, releaseAt, VERSION_1 } from "#tests/support/release.ts";
import { uniqueSignUps } from "#tests/support/requests.ts";
import { saveResults } from "#tests/support/results.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { HIGH_LIMITS, POSTGRES_SETTINGS } from "./servers.ts";

const ROUNDS = 3;
const TURNS = 12;
const SECONDS = 0.8;

const [commit = VERSION_1] = process.argv.slice(2);
const next = uniqueSignUps(() => {});
const before = await start(releaseAt(commit));
const after = await start({ folder: ".", remove() {} });
for (const version of [before, after, before, after]) await measure(version, 64, 4);

const table: Record<string, object> = {};
for (const connections of [64, 256]) {
  const rounds: Awaited<ReturnType<typeof compareInTurns>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await compareInTurns(connections));
  const values = (key: "throughput" | "serverCpu" | "postgresCpu") => {
    const ratios = rounds.map((round) => round[key]);
    return { ratio: rounded(median(ratios)), min: rounded(Math.min(...ratios)), max: rounded(Math.max(...ratios)) };
  };
  table[`throughput, ${connections} connections`] = values("throughput");
  table[`server's CPU time per sign-up, ${connections} connections`] = values("serverCpu");
  table[`PostgreSQL's CPU time per sign-up, ${connections} connections`] = values("postgresCpu");
}
await Promise.all([before.stop(), after.stop()]);
console.log(`Relative to ${commit.slice(0, 7)}: medians of ${TURNS} turns in each of ${ROUNDS} rounds`);
console.table(table);
await saveResults("compare", { commit, ...table });

function rounded(ratio: number): number {
  return Number(ratio.toFixed(3));
}

type Version = Awaited<ReturnType<typeof start>>;

async function start(release: Release) {
  const postgres = await startScratchPostgres({ settings: POSTGRES_SETTINGS });
  const env = { DATABASE_URL: postgres.url, ...HIGH_LIMITS };
  const { bin } = JSON.parse(readFileSync(join(release.folder, "package.json"), "utf8"));
  const migrate = [join(release.folder, bin.waitlist), "migrate"];
  execFileSync(process.execPath, migrate, { cwd: release.folder, env: { ...process.env, ...env } });
  const server = await startServer(env, [], release.folder);
  return {
    port: Number(new URL(server.origin).port),
    serverCpu: () => cpuTicks(server.pid),
    postgresCpu: () => treeCpuTicks(postgres.pid()),
    async stop() {
      await server.stop();
      await postgres.stop();
      release.remove();
    },
  };
}

async function measure(version: Version, connections: number, seconds: number) {
  const [serverCpu, postgresCpu] = [version.serverCpu(), version.postgresCpu()];
  const { perSecond, statuses } = await runLoad({
    ports: [version.port],
    connections,
    next: forSeconds(seconds, next),
  });
  const signUps = statuses.get(201) ?? 0;
  if (statuses.size !== 1 || signUps === 0) throw new Error(`Not only 201: ${[...statuses].join("; ")}`);
  return {
    throughput: perSecond,
    serverCpu: (version.serverCpu() - serverCpu) / signUps,
    postgresCpu: (version.postgresCpu() - postgresCpu) / signUps,
  };
}

async function compareInTurns(connections: number) {
  const ratios = { throughput: [] as number[], serverCpu: [] as number[], postgresCpu: [] as number[] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const results = new Map<Version, Awaited<ReturnType<typeof measure>>>();
    for (const version of turn % 2 ? [before, after] : [after, before]) {
      results.set(version, await measure(version, connections, SECONDS));
    }
    for (const key of ["throughput", "serverCpu", "postgresCpu"] as const) {
      ratios[key].push((results.get(after)?.[key] ?? 0) / (results.get(before)?.[key] ?? 0));
    }
  }
  return {
    throughput: median(ratios.throughput),
    serverCpu: median(ratios.serverCpu),
    postgresCpu: median(ratios.postgresCpu),
  };
}
