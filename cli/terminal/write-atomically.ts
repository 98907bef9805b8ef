import { createWriteStream, existsSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { UsageError } from "#cli/command.ts";

/** Several chunks of an export, so that the next ones are formatted while these are written. */
const BUFFER_SIZE = 256 * 1024;
const INTERRUPT_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Writes a file that only its owner can read. If it is interrupted or fails, an existing file stays as it was. */
export async function writeAtomically(path: string, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  if (existsSync(path) && !statSync(path).isFile()) throw new UsageError(`${path} isn't a regular file.`);
  const partial = `${path}.partial`;
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  for (const signal of INTERRUPT_SIGNALS) process.once(signal, interrupt);
  try {
    await rm(partial, { force: true });
    // Always a new file: an existing one could be open in another process or have looser permissions.
    const file = createWriteStream(partial, { mode: 0o600, flags: "wx", highWaterMark: BUFFER_SIZE });
    await pipeline(chunks, file, { signal: interrupted.signal });
    await rename(partial, path);
  } catch (reason) {
    await rm(partial, { force: true });
    throw reason;
  } finally {
    for (const signal of INTERRUPT_SIGNALS) process.off(signal, interrupt);
  }
}
