import { setTimeout as pause } from "node:timers/promises";
import type { Change } from "#tests/drills/harness/change-source.ts";
import { MAX_LATENCY_MS } from "#tests/drills/harness/drill.ts";
import { executeOn } from "#tests/drills/harness/execute.ts";
import type { Keep } from "#tests/drills/harness/parts.ts";
import { onPostgres, underLoad } from "#tests/drills/harness/service.ts";
import { signalTree } from "#tests/support/process-tree.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { checkLatency, checkRecovery, outage } from "./outage.ts";

/** Makes the server acknowledge a batch 50 ms before writing it. */
export const ACKNOWLEDGE_EARLY: Change = [
  "core/sign-ups/group-commit.ts",
  "const outcomes = await write(batch.map(({ item }) => item));",
  `const totals = { totalUsers: 1, companiesInterested: 1 };
   for (const { resolve } of batch) resolve({ kind: "joined", totals } as Outcome);
   await new Promise((resolve) => setTimeout(resolve, 50));
   const outcomes = await write(batch.map(({ item }) => item));`,
];

export const killPostgres = underLoad<ScratchPostgres>({
  breaks: "PostgreSQL killed",
  shows: "its crash recovery brings back every acknowledged sign-up, counted once",
  ...onPostgres,
  times: { short: 3, full: 20 },
  async scenario(service, times) {
    for (let kill = 0; kill < times; kill += 1) {
      await pause(500 + Math.random() * 500);
      signalTree(service.postgres.pid(), "SIGKILL");
      await restartCrashed(service.postgres);
      await checkRecovery(service);
    }
  },
  controls: [
    {
      without: "a flush before the response",
      finds: "lost",
      postgres: (keep) => keep(startScratchPostgres({ settings: ["synchronous_commit=off", "wal_writer_delay=10s"] })),
      env: { ALLOW_DATA_LOSS: "synchronous_commit" },
    },
  ],
});

/** Retries, because PostgreSQL refuses to start while processes of a crashed server are still ending. */
export async function restartCrashed(postgres: ScratchPostgres, attempts = 50): Promise<void> {
  try {
    await postgres.restart();
  } catch (reason) {
    if (attempts === 0 || !/still in use/.test(String(reason))) throw reason;
    await pause(100);
    await restartCrashed(postgres, attempts - 1);
  }
}

export const stopPostgres = underLoad<ScratchPostgres>({
  breaks: "PostgreSQL stopped",
  shows: "sign-ups are rejected immediately, and the page and the last stats are served",
  ...onPostgres,
  times: { short: 3, full: 60 },
  scenario: outage(async (service, seconds) => {
    const { postgres, ledger, check } = service;
    process.kill(postgres.pid(), "SIGINT");
    await pause(500);
    const before = ledger.acknowledged.size;
    ledger.clear();
    await pause(seconds * 1000);
    checkLatency(service, 300, 0.99);
    check(ledger.acknowledged.size === before, "a sign-up was acknowledged while PostgreSQL was down");
    await postgres.restart();
  }),
  controls: [{ without: "a commit before the response", finds: "lost", changes: [ACKNOWLEDGE_EARLY] }],
});

export const freezePostgres = underLoad<ScratchPostgres>({
  breaks: "PostgreSQL frozen",
  shows: "no sign-up waits for longer than two seconds",
  ...onPostgres,
  times: { short: 3, full: 10 },
  scenario: outage(async (service, seconds) => {
    const { postgres, keep } = service;
    signalTree(postgres.pid(), "SIGSTOP");
    // Thaws PostgreSQL even if the drill fails, because a frozen one can't be stopped.
    const { stop: thaw } = await keep({ stop: () => signalTree(postgres.pid(), "SIGCONT") });
    await pause(seconds * 1000);
    checkLatency(service, MAX_LATENCY_MS);
    thaw();
  }),
  controls: [
    {
      without: "timeouts",
      finds: /^sign-up latency/,
      changes: [
        [
          "core/database/connect.ts",
          "...(timeoutMs && { statement_timeout: timeoutMs, query_timeout: timeoutMs + 300 }),",
          "",
        ],
        ["core/database/connect.ts", "connectionTimeoutMillis: connectTimeoutMs ?? (timeoutMs ? 1000 : 5000),", ""],
      ],
    },
  ],
});

export interface LimitedPostgres extends ScratchPostgres {
  /** Runs a statement as a superuser, exempt from the limits on the servers' role. */
  execute(statement: string): Promise<unknown>;
}

/** A PostgreSQL with a role for the servers. */
export async function startLimitedPostgres(keep: Keep): Promise<LimitedPostgres> {
  const postgres = await keep(startScratchPostgres());
  const execute = (statement: string) => executeOn(postgres.url, statement);
  await execute("create role app login password 'app'");
  await execute("create database app owner app");
  return { ...postgres, url: `postgres://app:app@${new URL(postgres.url).host}/app`, execute };
}

export const exhaustConnections = underLoad<LimitedPostgres>({
  breaks: "PostgreSQL connections exhausted",
  shows: "it counts as an outage, not as a fault of the server",
  postgres: startLimitedPostgres,
  times: { short: 3, full: 10 },
  scenario: outage(async (service, seconds) => {
    const { postgres, ledger, check } = service;
    await postgres.execute("alter role app connection limit 0");
    await postgres.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'");
    await pause(500);
    ledger.clear();
    const before = ledger.acknowledged.size;
    await pause(seconds * 1000);
    checkLatency(service, MAX_LATENCY_MS);
    check(ledger.acknowledged.size === before, "a sign-up was acknowledged without a connection");
    await postgres.execute("alter role app connection limit -1");
  }),
  controls: [
    {
      without: "counting a PostgreSQL out of resources (53) as unavailable",
      finds: /^a sign-up got neither 201 nor 503, but 500/,
      changes: [["core/database/faults.ts", "(08|40|53|57|58|25006)", "(08|40|57|58|25006)"]],
    },
  ],
});
