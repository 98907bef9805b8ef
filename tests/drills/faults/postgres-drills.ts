import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { signalTree } from "#tests/support/process-tree.ts";
import { type Postgres, type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Drill, drill, MAX_LATENCY_MS, MAX_RECOVERY_MS, NOT_RECOVERED, type Scenario } from "./drill.ts";
import { checkLatency, outage } from "./outage.ts";
import { type Service, untilAcknowledged } from "./service.ts";
import { startSlowPostgres } from "./slow-postgres.ts";

export function killPostgres(cycles: number): Drill {
  const scenario: Scenario<ScratchPostgres> = async ({ postgres, clients }, check) => {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await pause(500 + Math.random() * 500);
      signalTree(postgres.pid(), "SIGKILL");
      await postgres.restart();
      check((await untilAcknowledged(clients)) < MAX_RECOVERY_MS, NOT_RECOVERED);
    }
  };
  return drill(`PostgreSQL killed ${cycles} times`, { postgres: startScratchPostgres }, scenario, [
    {
      without: "a flush before the response",
      by: {
        postgres: () => startScratchPostgres({ settings: ["synchronous_commit=off", "wal_writer_delay=10s"] }),
        env: { ALLOW_DATA_LOSS: "synchronous_commit" },
      },
      finds: "lost",
    },
    { without: "totals in the same transaction", by: { preload: "count-apart" }, finds: "duplicated" },
  ]);
}

export function stopPostgres(seconds: number): Drill {
  return drill(
    `PostgreSQL stopped for ${seconds} s`,
    { postgres: startScratchPostgres },
    outage(async ({ postgres, clients: { ledger }, clients }, check) => {
      process.kill(postgres.pid(), "SIGINT");
      await pause(500);
      const before = ledger.acknowledged.size;
      ledger.latenciesMs = [];
      ledger.statuses.clear();
      await pause(seconds * 1000);
      checkLatency(clients, check, 300, 0.99);
      check(ledger.acknowledged.size === before, "a sign-up was acknowledged while PostgreSQL was down");
      check([...ledger.statuses.keys()].join() === "503", "a sign-up got something other than a 503");
      await postgres.restart();
    }),
    [{ without: "a commit before the response", by: { preload: "acknowledge-early" }, finds: "lost" }],
  );
}

const withoutTimeouts = {
  without: "timeouts",
  by: { preload: "never-time-out" },
  finds: /^sign-up latency/,
};

export function freezePostgres(seconds: number): Drill {
  return drill(
    `PostgreSQL frozen for ${seconds} s`,
    { postgres: startScratchPostgres },
    outage(async ({ postgres, clients }, check) => {
      clients.ledger.latenciesMs = [];
      signalTree(postgres.pid(), "SIGSTOP");
      await pause(seconds * 1000);
      checkLatency(clients, check, MAX_LATENCY_MS);
      signalTree(postgres.pid(), "SIGCONT");
    }),
    [withoutTimeouts],
  );
}

export function slowPostgres(seconds: number): Drill {
  return drill(
    `PostgreSQL 2 s slow for ${seconds} s`,
    { postgres: startSlowPostgres },
    outage(async ({ postgres: { proxy }, clients }, check) => {
      clients.ledger.latenciesMs = [];
      proxy.delayMs = 2000;
      await pause(seconds * 1000);
      checkLatency(clients, check, MAX_LATENCY_MS);
      proxy.delayMs = 0;
    }),
    [withoutTimeouts],
  );
}

export const exhaustConnections = drill(
  "PostgreSQL connections exhausted",
  { postgres: () => startScratchPostgres({ settings: ["max_connections=20"] }) },
  outage(async ({ postgres, clients }: Service<Postgres>, check) => {
    const holders = [await openConnection(postgres.url)];
    const takeAll = async () => {
      const others = "from pg_stat_activity where client_port is not null and application_name <> 'holder'";
      await holders[0]?.query(`select pg_terminate_backend(pid) ${others}`);
      for (let free = true; free; ) {
        const holder = await openConnection(postgres.url).catch(() => undefined);
        if (holder) holders.push(holder);
        free = holder !== undefined;
      }
      return (await holders[0]?.query(`select ${others}`))?.rowCount === 0;
    };
    // The servers reconnect immediately and are visible only once connected: repeat until none has for half a second.
    for (let quiet = 0; quiet < 5; await pause(100)) quiet = (await takeAll()) ? quiet + 1 : 0;
    clients.ledger.latenciesMs = [];
    const before = clients.ledger.acknowledged.size;
    await pause(3000);
    checkLatency(clients, check, MAX_LATENCY_MS);
    check(clients.ledger.acknowledged.size === before, "a sign-up was acknowledged without a connection");
    await Promise.all(holders.map((holder) => holder.end()));
  }),
  [
    {
      without: "counting a PostgreSQL out of resources as unavailable",
      by: { preload: "treat-exhaustion-as-fault" },
      finds: /^a sign-up got neither 201 nor 503, but 500/,
    },
  ],
);

async function openConnection(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: "holder" });
  client.on("error", () => {});
  await client.connect();
  return client;
}
