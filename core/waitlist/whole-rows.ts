const LINE_FEED = 10;

/** The same bytes, in chunks that end with a row. The contract rejects control characters, so no value has a line break. */
export async function* wholeRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let partialRow: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield Buffer.concat([partialRow, chunk.subarray(0, end)]);
    partialRow = end > 0 ? chunk.subarray(end) : Buffer.concat([partialRow, chunk]);
  }
  yield partialRow;
}
