import { createWriteStream, existsSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { UsageError } from "./command.ts";

const INTERRUPTIONS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** A file for its owner alone: there when it is whole, and not before. Whoever is interrupted leaves what was there. */
export async function writeAtomically(
  path: string,
  pieces: Iterable<string> | AsyncIterable<string | Buffer>,
): Promise<void> {
  if (existsSync(path) && !statSync(path).isFile()) throw new UsageError(`${path} is no file that could be replaced`);
  const partial = `${path}.partial`;
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  for (const signal of INTERRUPTIONS) process.once(signal, interrupt);
  try {
    await rm(partial, { force: true });
    // New, so that nobody else can have it open or have said who may read it.
    const file = createWriteStream(partial, { mode: 0o600, flags: "wx" });
    await pipeline(pieces, file, { signal: interrupted.signal });
    await rename(partial, path);
  } catch (reason) {
    await rm(partial, { force: true });
    throw reason;
  } finally {
    for (const signal of INTERRUPTIONS) process.off(signal, interrupt);
  }
}
