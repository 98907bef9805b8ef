/**
 * `npm run bench -- compare [commit]`: compares sign-ups of this version and another commit. Both take turns, each with
 * its own PostgreSQL. On a shared machine, CPU time varies far less than throughput.
 */
import { median } from "#tests/support/quantile.ts";
import { migrateWith, type Release, releaseAt } from "#tests/support/release.ts";
import { saveResults } from "#tests/support/results.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { HIGH_LIMITS, POSTGRES_SETTINGS } from "./servers.ts";
import { compareInTurns, type Ratios, warmUp } from "./side-by-side.ts";

const ROUNDS = 3;

const [commit = "HEAD"] = process.argv.slice(2);
const before = await start(releaseAt(commit));
const after = await start({ folder: ".", remove() {} });
await warmUp([before, after]);

const table: Record<string, object> = {};
for (const connections of [64, 256]) {
  const rounds: Ratios[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await compareInTurns(before, after, connections));
  const values = (key: keyof Ratios) => {
    const ratios = rounds.map((round) => round[key]);
    return { ratio: rounded(median(ratios)), min: rounded(Math.min(...ratios)), max: rounded(Math.max(...ratios)) };
  };
  table[`throughput, ${connections} connections`] = values("throughput");
  table[`server's CPU time per sign-up, ${connections} connections`] = values("serverCpu");
  table[`PostgreSQL's CPU time per sign-up, ${connections} connections`] = values("postgresCpu");
}
await Promise.all([before.stop(), after.stop()]);
console.log(`Relative to ${commit.slice(0, 7)}: medians of three rounds of turns`);
console.table(table);
await saveResults("compare", { commit, ...table });

function rounded(ratio: number): number {
  return Number(ratio.toFixed(3));
}

async function start(release: Release) {
  const postgres = await startScratchPostgres({ settings: POSTGRES_SETTINGS });
  const env = { DATABASE_URL: postgres.url, ...HIGH_LIMITS };
  migrateWith(release, env);
  const server = await startServer(env, [], release.folder);
  return {
    port: Number(new URL(server.origin).port),
    serverPid: server.pid,
    postgresPid: postgres.pid(),
    async stop() {
      await server.stop();
      await postgres.stop();
      release.remove();
    },
  };
}
