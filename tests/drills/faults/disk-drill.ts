import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { drill, MAX_LATENCY_MS } from "./drill.ts";
import { checkLatency, outage } from "./outage.ts";

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
  [{ without: "a commit before the response", by: { preload: "acknowledge-early" }, finds: "lost" }],
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
