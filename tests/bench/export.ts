/** `npm run bench -- export`: times exports of a million sign-ups in both formats, including the command's start-up. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "#core/database/connect.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { endedChildrenTicks, treeCpuTicks } from "#tests/support/cpu-time.ts";
import { fill } from "#tests/support/fill.ts";
import { median } from "#tests/support/quantile.ts";
import { saveResults } from "#tests/support/results.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

const PEOPLE = 1_000_000;
const ROUNDS = 3;
const MAX_SECONDS = 15;
/** Independent of the list's size: exporting 200,000 people takes as much memory. */
const MAX_MB = 300;

const postgres = await startScratchPostgres();
const folder = await mkdtemp(join(tmpdir(), "farwatch-bench-"));
const db = connect(postgres.url);
await migrateAll(db);
await recordConsentWording(db);
await fill(db, PEOPLE);
await db.destroy();

/** CPU time of the command and PostgreSQL together. A tick in /proc is 10 ms. */
const cpuSeconds = () => (endedChildrenTicks() + treeCpuTicks(postgres.pid())) / 100;

/** The command's run time, CPU time and peak memory. */
async function measure(format: string) {
  const cpuBefore = cpuSeconds();
  const startedAt = performance.now();
  const args = ["cli/waitlist.ts", "export", "--format", format, "--out", join(folder, "list")];
  const child = spawn(process.execPath, args, {
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
  if (code !== 0) throw new Error(`The export exited with ${code}`);
  return { format, seconds: (performance.now() - startedAt) / 1000, cpu: cpuSeconds() - cpuBefore, maxMb };
}

const runs: Awaited<ReturnType<typeof measure>>[] = [];
for (let round = 0; round < ROUNDS; round += 1) runs.push(await measure("csv"), await measure("jsonl"));
await postgres.stop();
await rm(folder, { recursive: true });
console.table(runs);

const secondsOf = (format: string) => median(runs.filter((run) => run.format === format).map(({ seconds }) => seconds));
const [csv, jsonl] = [secondsOf("csv"), secondsOf("jsonl")];
const maxMb = Math.max(...runs.map((run) => run.maxMb));
console.log(
  `CSV ${csv.toFixed(1)} s, JSON Lines ${jsonl.toFixed(1)} s, at most ${MAX_SECONDS}; ${maxMb.toFixed(0)} MB`,
);
await saveResults("export", { csv, jsonl, maxMb, runs });
process.exitCode = csv <= MAX_SECONDS && jsonl <= MAX_SECONDS && maxMb <= MAX_MB ? 0 : 1;
