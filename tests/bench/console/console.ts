/**
 * `npm run bench -- console [rows]`: the console's screens on a list of ten million people, and what its indexes and
 * rollups cost a sign-up, relative to the commit before them in the same run.
 */
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { connect } from "#core/database/connect.ts";
import { HIGH_LIMITS, POSTGRES_SETTINGS } from "#tests/bench/servers.ts";
import { compareInTurns, warmUp } from "#tests/bench/side-by-side.ts";
import { median } from "#tests/support/quantile.ts";
import { migrateWith, releaseAt } from "#tests/support/release.ts";
import { saveResults } from "#tests/support/results.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { migrateAll } from "#worker/migrate.ts";
import { fillConsole } from "./fill.ts";
import { measureScreens } from "./measure-screens.ts";

/** The last commit whose sign-ups have neither. */
const BEFORE = "ea9a56d";
const ROUNDS = 3;

const rows = Number(process.argv[2] ?? 10_000_000);
const release = releaseAt(BEFORE);
const postgres = await startScratchPostgres({ settings: POSTGRES_SETTINGS });
const urlOf = (database: string) => new URL(`/${database}`, postgres.url).href;
const [before, after] = [connect(urlOf("before")), connect(urlOf("after"))];

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  console.log(`${what}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return result;
}

const admin = connect(postgres.url);
await admin.pool.query("create database before");
migrateWith(release, { DATABASE_URL: urlOf("before") });
await timed(`Filled ${rows.toLocaleString("en")} rows`, () => fillConsole(before.pool, rows));
await before.destroy();
await timed("Copied them", () => admin.pool.query("create database after template before strategy file_copy"));
await timed("Migrated the copy", () => migrateAll(after));
await after.pool.query("checkpoint");

const servers = [
  await startServer({ DATABASE_URL: urlOf("before"), ...HIGH_LIMITS }, [], release.folder),
  await startServer({ DATABASE_URL: urlOf("after"), ...HIGH_LIMITS }),
];
const versions = servers.map(({ origin, pid }) => ({
  port: Number(new URL(origin).port),
  serverPid: pid,
  postgresPid: postgres.pid(),
}));
const [older, newer] = versions;
if (!older || !newer) throw new Error("A server is missing");
await warmUp(versions);
const rounds = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push(await compareInTurns(older, newer, 64));
for (const server of servers) await server.stop();

const screens = await measureScreens(after);
await after.destroy();
await admin.destroy();
await postgres.stop();
release.remove();

/** The scripts that index.html loads, and those that they import; other chunks are loaded on demand. */
function initialScripts(file = "index.html", seen = new Set<string>()): Set<string> {
  const text = readFileSync(`dist-console/${file}`, "utf8");
  const imports = file.endsWith(".html") ? /src="\/(assets\/[^"]+\.js)"/g : /(?:import|from)\s*"\.\/([^"]+\.js)"/g;
  for (const [, found = ""] of text.matchAll(imports)) {
    const path = found.startsWith("assets/") ? found : `assets/${found}`;
    if (seen.has(path)) continue;
    seen.add(path);
    initialScripts(path, seen);
  }
  return seen;
}
const sizes = [...initialScripts()].map((path) => brotliCompressSync(readFileSync(`dist-console/${path}`)).length);

const results = {
  rows,
  initialJs: sizes.reduce((sum, size) => sum + size, 0),
  postRatio: Number(median(rounds.map(({ throughput }) => throughput)).toFixed(3)),
  /** PostgreSQL's CPU time per sign-up, before relative to after: above, throughput swings with the machine. */
  postgresCpuRatio: Number((1 / median(rounds.map(({ postgresCpu }) => postgresCpu))).toFixed(3)),
  screens,
};
console.table(screens);
console.log(`Initial JavaScript: ${results.initialJs} bytes, brotli`);
console.log(`Sign-ups per second: ${results.postRatio} of before; per CPU second: ${results.postgresCpuRatio}`);
await saveResults("console", results);
