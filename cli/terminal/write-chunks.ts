import { pipeline } from "node:stream/promises";
import { writeAtomically } from "./write-atomically.ts";

export async function writeChunks(chunks: AsyncIterable<string>, out: string | undefined): Promise<void> {
  if (out) await writeAtomically(out, chunks);
  else await pipeline(chunks, process.stdout, { end: false }).catch(ignoreClosedPipe);
}

/** A reader such as `head` may close the pipe early. */
export function ignoreClosedPipe(reason: NodeJS.ErrnoException): void {
  if (reason.code !== "EPIPE") throw reason;
}
