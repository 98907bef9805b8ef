const LINE_FEED = 10;

/** Counting line feeds counts rows: the contract rejects control characters, so no value has a line break. */
export function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}
