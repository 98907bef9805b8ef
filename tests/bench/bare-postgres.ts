import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { quantile } from "#tests/support/quantile.ts";
import { machineBinaries } from "#tools/dev/postgres-binaries.ts";

/** The minimum for a durable sign-up: one row and one commit, in a table with the columns and indexes of sign_ups. */
const INSERT = `
\\set key random(1, 9000000000000000)
insert into bare (email_key, email, first_name, last_name, company, company_key, newsletter)
values (:key || '@example.com', :key || '@example.com', 'Ada', 'Lovelace', 'Company 1', 'company 1', true)
on conflict (email_key) do nothing returning id;
`;

const MAX_CONNECTING_MS = 20_000;

export interface PgbenchResult {
  commits: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The longest time without a commit. */
  pauseMs: number;
}

export async function createBareTable(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("create table bare (like sign_ups including all)");
  await client.end();
}

/**
 * Runs pgbench with prepared statements over loopback TCP, like the server. pgbench counts connecting as run time. If
 * connecting takes over a second, as for 256 clients on busy cores, the run is repeated with that time added.
 */
export async function runPgbench(
  url: string,
  clients: number,
  seconds: number,
  connectingSeconds = 0,
): Promise<PgbenchResult> {
  const folder = await mkdtemp(join(tmpdir(), "farwatch-pgbench-"));
  const binaries = machineBinaries();
  if (!binaries) throw new Error("This benchmark needs pgbench, which is part of PostgreSQL's packages");
  try {
    await writeFile(join(folder, "insert.sql"), INSERT);
    const { stdout } = await promisify(execFile)(
      join(binaries, "pgbench"),
      [
        ...["--no-vacuum", "--protocol=prepared", "--file=insert.sql", `--client=${clients}`],
        ...[
          `--jobs=${Math.min(clients, 2)}`,
          `--time=${seconds + connectingSeconds}`,
          "--log",
          "--sampling-rate=0.1",
          url,
        ],
      ],
      { cwd: folder },
    );
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
    const commits = Number(/^number of transactions actually processed: (\d+)/m.exec(stdout)?.[1]);
    // pgbench doesn't print its connection time if no client committed.
    const connectingMs = Number(/^initial connection time = ([\d.]+) ms/m.exec(stdout)?.[1] ?? MAX_CONNECTING_MS);
    const connecting = Math.ceil(connectingMs / 1000);
    if (connecting > 1 && connectingSeconds === 0) return await runPgbench(url, clients, seconds, connecting);
    const logs = (await readdir(folder)).filter((name) => name.startsWith("pgbench_log"));
    const lines = (await Promise.all(logs.map((name) => readFile(join(folder, name), "utf8")))).join("").split("\n");
    // Column 3 is the transaction's latency in microseconds. Columns 5 and 6 are the time when it ended.
    const logged = lines.filter(Boolean).map((line) => line.split(" ").map(Number));
    const latencies = logged.map(([, , microseconds = 0]) => microseconds / 1000);
    const ends = logged.map(([, , , , seconds = 0, microseconds = 0]) => 1000 * seconds + microseconds / 1000);
    ends.sort((one, other) => one - other);
    const pauses = ends.slice(1).map((end, i) => end - (ends[i] ?? 0));
    return {
      commits,
      perSecond,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
      pauseMs: pauses.reduce((longest, pause) => Math.max(longest, pause), commits > 0 ? 0 : Number.POSITIVE_INFINITY),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
