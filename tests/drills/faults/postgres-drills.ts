import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { signalTree } from "#tests/support/process-tree.ts";
import { quantile } from "#tests/support/quantile.ts";
import { type Postgres, type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Act, type Check, type Drill, drill, MAX_RECOVERY_MS, MAX_WAIT_MS, perform } from "./drill.ts";
import type { Crowd } from "./ledger.ts";
import { whileReading } from "./reading.ts";
import { type Service, untilTaken } from "./service.ts";
import { startSlowPostgres } from "./slow-postgres.ts";

/** A second of plain work, then what is done to PostgreSQL, while the page is read; then it must go on by itself. */
function outage<Store extends Postgres>(work: Act<Store>): Act<Store> {
  return async (service, check) => {
    await pause(1000);
    await whileReading(service.origin, check, () => work(service, check));
    check((service.crowd.ledger.statuses.get(503) ?? 0) > 0, "it was felt");
    check((await untilTaken(service.crowd)) < MAX_RECOVERY_MS, "taken again within 10 s");
  };
}

/** The slowest, or the slowest but for a hundredth. */
function waitsAtMost({ ledger }: Crowd, check: Check, maxMs: number, part = 1): void {
  const slowest = quantile(ledger.waitedMs, part);
  check(slowest < maxMs, `answered within ${maxMs} ms, not ${Math.round(slowest)}`);
}

export function killPostgres(cycles: number): Drill {
  const act: Act<ScratchPostgres> = async ({ postgres, crowd }, check) => {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await pause(500 + Math.random() * 500);
      signalTree(postgres.pid(), "SIGKILL");
      await postgres.restart();
      check((await untilTaken(crowd)) < MAX_RECOVERY_MS, "taken again within 10 s");
    }
  };
  return {
    name: `kill -9 of PostgreSQL, ${cycles} times`,
    run: () => perform({ postgres: startScratchPostgres }, act),
    async control() {
      const forgetful = () => startScratchPostgres({ settings: ["synchronous_commit=off"] });
      const env = { ALLOW_DATA_LOSS: "synchronous_commit" };
      return (await perform({ postgres: forgetful, env }, act)).lost > 0;
    },
  };
}

export function stopPostgres(seconds: number): Drill {
  return drill(
    `PostgreSQL stopped for ${seconds} s`,
    { postgres: startScratchPostgres },
    outage(async ({ postgres, crowd: { ledger }, crowd }, check) => {
      process.kill(postgres.pid(), "SIGINT");
      await pause(500);
      const before = ledger.acknowledged.size;
      ledger.waitedMs = [];
      ledger.statuses.clear();
      await pause(seconds * 1000);
      waitsAtMost(crowd, check, 300, 0.99);
      check(ledger.acknowledged.size === before, "nobody is acknowledged");
      check([...ledger.statuses.keys()].join() === "503", "everybody is told 503");
      await postgres.restart();
    }),
  );
}

export function freezePostgres(seconds: number): Drill {
  return drill(
    `PostgreSQL frozen for ${seconds} s`,
    { postgres: startScratchPostgres },
    outage(async ({ postgres, crowd }, check) => {
      crowd.ledger.waitedMs = [];
      signalTree(postgres.pid(), "SIGSTOP");
      await pause(seconds * 1000);
      waitsAtMost(crowd, check, MAX_WAIT_MS);
      signalTree(postgres.pid(), "SIGCONT");
    }),
  );
}

export function slowPostgres(seconds: number): Drill {
  return drill(
    `PostgreSQL slow by 2 s, for ${seconds} s`,
    { postgres: startSlowPostgres },
    outage(async ({ postgres: { line }, crowd }, check) => {
      crowd.ledger.waitedMs = [];
      line.delayMs = 2000;
      await pause(seconds * 1000);
      waitsAtMost(crowd, check, MAX_WAIT_MS);
      line.delayMs = 0;
    }),
  );
}

export const holdConnections = drill(
  "all connections held by others",
  { postgres: () => startScratchPostgres({ settings: ["max_connections=20"] }) },
  outage(async ({ postgres, crowd }: Service<Postgres>, check) => {
    const holders = [await hold(postgres.url)];
    const takeAll = async () => {
      const others = "from pg_stat_activity where client_port is not null and application_name <> 'holder'";
      await holders[0]?.query(`select pg_terminate_backend(pid) ${others}`);
      for (let free = true; free; ) {
        const holder = await hold(postgres.url).catch(() => undefined);
        if (holder) holders.push(holder);
        free = holder !== undefined;
      }
      return (await holders[0]?.query(`select ${others}`))?.rowCount === 0;
    };
    // The servers come back at once, and are seen only once they are in; until none has come for half a second.
    for (let quiet = 0; quiet < 5; await pause(100)) quiet = (await takeAll()) ? quiet + 1 : 0;
    crowd.ledger.waitedMs = [];
    const before = crowd.ledger.acknowledged.size;
    await pause(3000);
    waitsAtMost(crowd, check, MAX_WAIT_MS);
    check(crowd.ledger.acknowledged.size === before, "nobody is acknowledged");
    await Promise.all(holders.map((holder) => holder.end()));
  }),
);

async function hold(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: "holder" });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Needs root, to make a small disk. */
export const fillDisk = drill(
  "PostgreSQL out of disk",
  { postgres: onSmallDisk },
  outage(async ({ postgres, crowd }, check) => {
    postgres.fill();
    const began = performance.now();
    while (!crowd.ledger.statuses.get(503) && performance.now() - began < 60_000) await pause(50);
    crowd.ledger.waitedMs = [];
    await pause(2000);
    waitsAtMost(crowd, check, MAX_WAIT_MS);
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
    /** Writes until nothing more goes. */
    fill() {
      const file = openSync(ballast, "w");
      const piece = Buffer.alloc(64 * 1024);
      try {
        while (writeSync(file, piece) === piece.length);
      } catch {
        // Full, as it should be.
      }
      closeSync(file);
    },
    /** Makes room. PostgreSQL gives up where it can't write its log, and is then started again, as systemd would. */
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
