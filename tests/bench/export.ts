/**
 * `npm run bench -- export [commit]`: export of a million sign-ups, relative to PostgreSQL's own COPY into a file in
 * the same folder and to another commit's export in the same run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { connect } from "#core/database/connect.ts";
import { recordConsentWording } from "#core/waitlist/consent.ts";
import { endedChildrenTicks, treeCpuTicks } from "#tests/support/cpu-time.ts";
import { fill } from "#tests/support/fill.ts";
import { median } from "#tests/support/quantile.ts";
import { releaseAt } from "#tests/support/release.ts";
import { saveResults } from "#tests/support/results.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { migrateAll } from "#worker/migrate.ts";

const PEOPLE = 1_000_000;
const ROUNDS = 3;
/** The last version in which PostgreSQL assembled the export. */
const ASSEMBLED_BY_POSTGRES = "43cc540";

const [commit = ASSEMBLED_BY_POSTGRES] = process.argv.slice(2);
const postgres = await startScratchPostgres();
const folder = await mkdtemp(join(tmpdir(), "farwatch-bench-"));
// PostgreSQL writes there too, as another user.
await chmod(folder, 0o777);
const before = releaseAt(commit);
const db = connect(postgres.url);
await migrateAll(db);
await recordConsentWording(db);
await fill(db, PEOPLE);

interface Run {
  seconds: number;
  /** Of the command and PostgreSQL together, in seconds. */
  cpu: number;
  maxMb: number;
}

/** A tick of /proc is a hundredth of a second. */
const cpuSeconds = () => (endedChildrenTicks() + treeCpuTicks(postgres.pid())) / 100;

/** The command's total run time, CPU time and peak memory. */
async function run(release: string, ...args: string[]): Promise<Run> {
  const cpuBefore = cpuSeconds();
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["cli/waitlist.ts", ...args], {
    cwd: release,
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
  return { seconds: (performance.now() - startedAt) / 1000, cpu: cpuSeconds() - cpuBefore, maxMb };
}

/** COPY of the same columns as CSV, by PostgreSQL alone. */
async function copy(): Promise<Omit<Run, "maxMb">> {
  const path = join(folder, "copy.csv");
  const columns =
    "email, first_name, last_name, company, utm ->> 'source', utm ->> 'medium', utm ->> 'campaign', utm ->> 'term', utm ->> 'content', newsletter, joined_at, confirmed_at, invited_at";
  const cpuBefore = cpuSeconds();
  const startedAt = performance.now();
  await sql`copy (select ${sql.raw(columns)} from sign_ups) to ${sql.lit(path)} with (format csv)`.execute(db);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = cpuSeconds() - cpuBefore;
  await rm(path);
  return { seconds, cpu };
}

const exportTo = (release: string, format: string) =>
  run(release, "export", "--format", format, "--out", join(folder, `list.${format}`));

async function measureRound() {
  const bare = await copy();
  const csv = await exportTo(".", "csv");
  const csvBefore = await exportTo(before.folder, "csv");
  const jsonl = await exportTo(".", "jsonl");
  const jsonlBefore = await exportTo(before.folder, "jsonl");
  return {
    "COPY s": bare.seconds,
    "CSV of COPY": bare.seconds / csv.seconds,
    "before: CSV": bare.seconds / csvBefore.seconds,
    "JSONL of COPY": bare.seconds / jsonl.seconds,
    "before: JSONL": bare.seconds / jsonlBefore.seconds,
    "COPY CPU s": bare.cpu,
    "CSV CPU s": csv.cpu,
    "before: CSV CPU s": csvBefore.cpu,
    "JSONL CPU s": jsonl.cpu,
    "before: JSONL CPU s": jsonlBefore.cpu,
    "MB of memory": Math.max(csv.maxMb, jsonl.maxMb),
  };
}

const rounds: Awaited<ReturnType<typeof measureRound>>[] = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureRound());
await db.destroy();
await postgres.stop();
before.remove();
await rm(folder, { recursive: true });
console.table(
  rounds.map((round) => Object.fromEntries(Object.entries(round).map(([name, n]) => [name, n.toFixed(2)]))),
);

type RatioColumn = "CSV of COPY" | "before: CSV" | "JSONL of COPY" | "before: JSONL";
function summarize(column: RatioColumn, goal?: number): number {
  const ratios = rounds.map((round) => round[column]);
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  console.log(`${column}: ${median(ratios).toFixed(2)} (${spread})${goal ? `, required: ${goal}` : ""}`);
  return median(ratios);
}
const csvRatio = summarize("CSV of COPY", 0.6);
const csvRatioBefore = summarize("before: CSV");
const jsonRatio = summarize("JSONL of COPY", 0.5);
const jsonRatioBefore = summarize("before: JSONL");
await saveResults("export", {
  csvRatio,
  jsonRatio,
  before: { commit, csvRatio: csvRatioBefore, jsonRatio: jsonRatioBefore },
  rounds,
});
const isFrugal = rounds.every((round) => round["MB of memory"] < 150);
process.exitCode = csvRatio >= 0.6 && jsonRatio >= 0.5 && isFrugal ? 0 : 1;
