import { randomUUID } from "node:crypto";
import { createWriteStream, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { platform } from "node:os";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { UsageError } from "./command.ts";

/** Buffers several chunks of an export, so that formatting continues during a write. */
const BUFFER_SIZE = 256 * 1024;
const INTERRUPT_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Writes a file that only its owner can read. If it is interrupted or fails, an existing file stays as it was. */
export async function writeAtomically(path: string, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const before = statSync(path, { throwIfNoEntry: false });
  if (before && !before.isFile()) throw new UsageError(`${path} isn't a regular file.`);
  // Unique, because another command may be writing to the same path.
  const partial = `${path}.${randomUUID()}.partial`;
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  for (const signal of INTERRUPT_SIGNALS) process.once(signal, interrupt);
  try {
    // Always a new file, because an existing one could be open in another process or have looser permissions.
    const file = createWriteStream(partial, { mode: 0o600, flags: "wx", highWaterMark: BUFFER_SIZE, flush: true });
    await pipeline(chunks, file, { signal: interrupted.signal });
    if (statSync(path, { throwIfNoEntry: false })?.ino !== before?.ino) {
      throw new UsageError(`Another command wrote ${path} first. Its file was kept.`);
    }
    await rename(partial, path);
    await syncFolder(dirname(path));
  } catch (reason) {
    await rm(partial, { force: true });
    throw reason;
  } finally {
    for (const signal of INTERRUPT_SIGNALS) process.off(signal, interrupt);
  }
}

/** Makes the file's name survive a power failure as well. Skipped on Windows, which can't open folders. */
async function syncFolder(path: string): Promise<void> {
  if (platform() === "win32") return;
  await using folder = await open(path);
  await folder.sync();
}
