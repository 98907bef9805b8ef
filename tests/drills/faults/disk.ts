import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { MAX_LATENCY_MS } from "#tests/drills/harness/drill.ts";
import type { Keep } from "#tests/drills/harness/parts.ts";
import { underLoad } from "#tests/drills/harness/service.ts";
import { isRunning } from "#tests/support/process-tree.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { checkLatency, outage } from "./outage.ts";
import { ACKNOWLEDGE_EARLY, restartCrashed } from "./postgres.ts";

/** Needs root, to mount a small tmpfs. */
export const fillDisk = underLoad({
  breaks: "PostgreSQL out of disk",
  shows: "sign-ups are rejected until there is space, and no acknowledged one is lost",
  postgres: onSmallDisk,
  scenario: outage(async (service) => {
    const { postgres, ledger } = service;
    postgres.fill();
    const startedAt = performance.now();
    while (ledger.count(503) === 0 && performance.now() - startedAt < 60_000) await pause(50);
    await pause(2000);
    checkLatency(service, MAX_LATENCY_MS);
    await postgres.empty();
  }),
  controls: [{ without: "a commit before the response", finds: "lost", changes: [ACKNOWLEDGE_EARLY] }],
});

async function onSmallDisk(keep: Keep) {
  const disk = mkdtempSync(join(tmpdir(), "farwatch-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=160m,mode=755", "tmpfs", disk]);
  await keep({
    stop() {
      execFileSync("umount", [disk]);
      rmdirSync(disk);
    },
  });
  const ballast = join(disk, "ballast");
  const settings = ["min_wal_size=32MB", "max_wal_size=48MB"];
  const postgres = await keep(startScratchPostgres({ within: disk, settings }));
  return {
    ...postgres,
    /** Writes until the disk is full. */
    fill: () => spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64K"]),
    /** Frees the space. If PostgreSQL has exited because it couldn't write its WAL, restarts it, like systemd. */
    async empty() {
      rmSync(ballast);
      await pause(1000);
      if (!isRunning(postgres.pid())) await restartCrashed(postgres);
    },
  };
}
