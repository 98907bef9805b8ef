/** `npm run bench -- export`: export of a million sign-ups relative to PostgreSQL's COPY, and the report about them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { to as copyTo } from "pg-copy-streams";
import { connect } from "#core/database/connect.ts";
import { recordConsentWording } from "#core/waitlist/consent.ts";
import { fill } from "#tests/support/fill.ts";
import { median } from "#tests/support/quantile.ts";
import { saveResults } from "#tests/support/results.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { migrateAll } from "#worker/migrate.ts";

const PEOPLE = 1_000_000;
const ROUNDS = 3;

const postgres = await startScratchPostgres();
const folder = await mkdtemp(join(tmpdir(), "farwatch-bench-"));
const db = connect(postgres.url);
await migrateAll(db);
await recordConsentWording(db);
await fill(db, PEOPLE);

/** The command's total run time and peak memory. */
async function run(...args: string[]): Promise<{ seconds: number; maxMb: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["cli/waitlist.ts", ...args], {
    env: { DATABASE_URL: postgres.url },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let maxMb = 0;
  const sampling = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    maxMb = Math.max(maxMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }, 50);
  const [code] = await once(child, "exit");
  clearInterval(sampling);
  if (code !== 0) throw new Error(`waitlist ${args.join(" ")} exited with ${code}`);
  return { seconds: (performance.now() - startedAt) / 1000, maxMb };
}

/** COPY of the same columns, with the output discarded. */
async function copy(): Promise<number> {
  const startedAt = performance.now();
  const client = await db.pool.connect();
  const columns =
    "email, first_name, last_name, company, utm ->> 'source', utm ->> 'medium', utm ->> 'campaign', utm ->> 'term', utm ->> 'content', newsletter, joined_at, confirmed_at, invited_at";
  const stream = client.query(copyTo(`copy (select ${columns} from sign_ups) to stdout with (format csv)`));
  await pipeline(stream, new Writable({ write: (_chunk, _encoding, done) => done() }));
  client.release();
  return (performance.now() - startedAt) / 1000;
}

const rounds = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const copySeconds = await copy();
  const csv = await run("export", "--out", join(folder, "list.csv"));
  const jsonl = await run("export", "--format", "jsonl", "--out", join(folder, "list.jsonl"));
  const report = await run("report", "--out", join(folder, "report.html"));
  rounds.push({
    "COPY s": copySeconds,
    "CSV of COPY": copySeconds / csv.seconds,
    "CSV MB": csv.maxMb,
    "JSONL of COPY": copySeconds / jsonl.seconds,
    "report s": report.seconds,
    "report kB": (await stat(join(folder, "report.html"))).size / 1000,
  });
}
await db.destroy();
await postgres.stop();
await rm(folder, { recursive: true });
console.table(
  rounds.map((round) => Object.fromEntries(Object.entries(round).map(([name, n]) => [name, n.toFixed(2)]))),
);
const ratio = median(rounds.map((round) => round["CSV of COPY"]));
console.log(`CSV export at ${ratio.toFixed(2)} of COPY's throughput (required: 0.5)`);
await saveResults("operator", rounds);
process.exitCode = ratio >= 0.5 && rounds.every((round) => round["CSV MB"] < 150 && round["report s"] < 10) ? 0 : 1;
