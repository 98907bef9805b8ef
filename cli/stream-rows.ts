import { pipeline } from "node:stream/promises";
import { countLines } from "#core/waitlist/count-lines.ts";
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

/** The reader, such as `head`, has closed the pipe early. */
function ignoreClosedPipe(reason: NodeJS.ErrnoException): void {
  if (reason.code !== "EPIPE") throw reason;
}
