import { pipeline } from "node:stream/promises";
import { writeAtomically } from "./write-atomically.ts";

interface RowOptions {
  /** What comes before the rows. */
  header: string;
  /** The file, or standard output if undefined. */
  out: string | undefined;
  onRows?: (count: number) => void;
}

/** Writes rows as they arrive, and returns how many there were. */
export async function streamRows(
  open: () => Promise<AsyncIterable<Buffer>>,
  { header, out, onRows = () => {} }: RowOptions,
): Promise<number> {
  let total = 0;
  async function* chunks(): AsyncGenerator<string | Buffer> {
    yield header;
    for await (const chunk of await open()) {
      yield chunk;
      const rows = countLines(chunk);
      total += rows;
      onRows(rows);
    }
  }
  if (out) await writeAtomically(out, chunks());
  else await pipeline(chunks, process.stdout, { end: false }).catch(ignoreClosedPipe);
  return total;
}

const LINE_FEED = 10;

/** Counting line feeds counts rows: the contract rejects control characters, so no value has a line break. */
function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

/** The reader, such as `head`, has closed the pipe early. */
function ignoreClosedPipe(reason: NodeJS.ErrnoException): void {
  if (reason.code !== "EPIPE") throw reason;
}
