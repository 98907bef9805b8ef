import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { signalTree } from "#tests/support/process-tree.ts";
import { quantile } from "#tests/support/quantile.ts";
import { type Postgres, type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { checkReadsDuring } from "./check-reads.ts";
import type { Clients } from "./clients.ts";
import {
  type Check,
  type Drill,
  drill,
  MAX_LATENCY_MS,
  MAX_RECOVERY_MS,
  NOT_RECOVERED,
  runScenario,
  type Scenario,
} from "./drill.ts";
import { type Service, untilAcknowledged } from "./service.ts";
import { startSlowPostgres } from "./slow-postgres.ts";

/** A second of normal load, then the fault while the page is read; afterward the service must recover on its own. */
function outage<Store extends Postgres>(fault: Scenario<Store>): Scenario<Store> {
  return async (service, check) => {
    await pause(1000);
    await checkReadsDuring(service.origin, check, () => fault(service, check));
    check((service.clients.ledger.statuses.get(503) ?? 0) > 0, "no sign-up got a 503, so the fault had no effect");
    check((await untilAcknowledged(service.clients)) < MAX_RECOVERY_MS, NOT_RECOVERED);
  };
}

/** Checks the maximum latency, or another quantile such as 0.99 for p99. */
function checkLatency({ ledger }: Clients, check: Check, maxMs: number, q = 1): void {
  const latency = quantile(ledger.latenciesMs, q);
  check(latency < maxMs, `sign-up latency at quantile ${q} was ${Math.round(latency)} ms, the limit is ${maxMs} ms`);
}

export function killPostgres(cycles: number): Drill {
  const scenario: Scenario<ScratchPostgres> = async ({ postgres, clients }, check) => {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await pause(500 + Math.random() * 500);
      signalTree(postgres.pid(), "SIGKILL");
      await postgres.restart();
      check((await untilAcknowledged(clients)) < MAX_RECOVERY_MS, NOT_RECOVERED);
    }
  };
  return {
    name: `PostgreSQL killed ${cycles} times`,
    run: () => runScenario({ postgres: startScratchPostgres }, scenario),
    async control() {
      const asynchronous = () => startScratchPostgres({ settings: ["synchronous_commit=off", "wal_writer_delay=10s"] });
      const env = { ALLOW_DATA_LOSS: "synchronous_commit" };
      return (await runScenario({ postgres: asynchronous, env }, scenario)).lost > 0;
    },
  };
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
  );
}

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
);

async function openConnection(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: "holder" });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Needs root, to mount a small tmpfs. */
export const fillDisk = drill(
  "PostgreSQL out of disk",
  { postgres: onSmallDisk },
  outage(async ({ postgres, clients }, check) => {
    postgres.fill();
    const startedAt = performance.now();
    while (!clients.ledger.statuses.get(503) && performance.now() - startedAt < 60_000) await pause(50);
    clients.ledger.latenciesMs = [];
    await pause(2000);
    checkLatency(clients, check, MAX_LATENCY_MS);
    await postgres.empty();
  }),
);

async function onSmallDisk() {
  const disk = mkdtempSync(join(tmpdir(), "farwatch-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=160m,mode=755", "tmpfs", disk]);
  const ballast = join(disk, "ballast");
  const unmount = () => {
    execFileSync("umount", [disk]);
    rmdirSync(disk);
  };
  const settings = ["min_wal_size=32MB", "max_wal_size=48MB"];
  const postgres = await startScratchPostgres({ within: disk, settings }).catch((reason) => {
    unmount();
    throw reason;
  });
  return {
    ...postgres,
    /** Writes until the disk is full. */
    fill() {
      const file = openSync(ballast, "w");
      const block = Buffer.alloc(64 * 1024);
      try {
        while (writeSync(file, block) === block.length);
      } catch {
        // ENOSPC: the disk is full.
      }
      closeSync(file);
    },
    /** Frees the space. PostgreSQL exits when it can't write its WAL, and is restarted here as systemd would. */
    async empty() {
      rmSync(ballast);
      await pause(1000);
      if (postgres.hasEnded()) await postgres.restart();
    },
    async stop() {
      await postgres.stop();
      unmount();
    },
  };
}
