/**
 * Where a quoted cell begins with what a spreadsheet takes for a formula: = + - @, or their wide forms, byte by byte. No
 * other place looks like it, because a quote within a cell is doubled.
 */
const FORMULA = /(^|[,\n])"(?=[=+\-@]|\xEF\xBC[\x9D\x8B\x8D\xA0])/g;

const LINE_FEED = 10;

/**
 * CSV whose text cells are all quoted, with an apostrophe before each formula, so that a name can't run in the
 * spreadsheet it is opened in. Here and not in SQL, where it took PostgreSQL half as long again.
 */
export async function* escapeFormulas(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    // By whole rows: a cell that is cut in two could hide its beginning. No value has a line break in it.
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield harmless(Buffer.concat([begun, piece.subarray(0, end)]));
    begun = end > 0 ? piece.subarray(end) : Buffer.concat([begun, piece]);
  }
  yield harmless(begun);
}

function harmless(rows: Buffer): Buffer {
  return Buffer.from(rows.toString("latin1").replace(FORMULA, `$1"'`), "latin1");
}
