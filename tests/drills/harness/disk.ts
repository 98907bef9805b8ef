import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const INTERVAL_MS = 100;

/** Flushes to the databases' disk continuously, to detect stalls that would slow everything down. */
export async function watchDisk() {
  const path = join(tmpdir(), `farwatch-disk-watch-${process.pid}`);
  const file = await open(path, "w");
  let longest = 0;
  let flushingSince: number | undefined;
  let isStopping = false;

  const soFar = () => (flushingSince === undefined ? 0 : performance.now() - flushingSince);
  async function flushRepeatedly(): Promise<void> {
    for (; !isStopping; await pause(INTERVAL_MS)) {
      flushingSince = performance.now();
      await file.write("x", 0);
      await file.datasync();
      longest = Math.max(longest, soFar());
      flushingSince = undefined;
    }
  }
  const flushing = flushRepeatedly();
  return {
    /** The slowest flush of a few bytes, in milliseconds. */
    longestMs: () => Math.round(Math.max(longest, soFar())),
    async stop() {
      isStopping = true;
      await flushing;
      await file.close();
      await rm(path);
    },
  };
}
