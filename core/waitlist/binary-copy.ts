import { ByteWriter } from "./byte-writer.ts";

/** "PGCOPY\n\377\r\n\0", four bytes of flags and four that say how long the rest of the header is: 0. */
const HEADER_LENGTH = 19;
/** Stands for the number of fields after the last row. */
const END_OF_ROWS = -1;
/** The length of a field that is null, and its start in a row. */
export const NULL_FIELD = -1;

/** Where a row's fields are. The next row reuses the object. */
export interface Row {
  bytes: Buffer;
  /** The same bytes: reading a number from it takes half as long as from a Buffer. */
  view: DataView;
  starts: number[];
  ends: number[];
}

/**
 * Writes each row of a binary COPY in another format. Binary takes PostgreSQL half as long as text or CSV, because it
 * neither formats nor escapes anything.
 */
export async function* translateRows(
  chunks: AsyncIterable<Buffer>,
  write: (row: Row, out: ByteWriter) => void,
): AsyncGenerator<Buffer> {
  let partial: Buffer = Buffer.alloc(0);
  let headerLeft = HEADER_LENGTH;
  const out = new ByteWriter();
  const row: Row = { bytes: partial, view: viewOf(partial), starts: [], ends: [] };
  for await (const chunk of chunks) {
    row.bytes = partial.length > 0 ? Buffer.concat([partial, chunk]) : chunk;
    row.view = viewOf(row.bytes);
    let start = Math.min(headerLeft, row.bytes.length);
    headerLeft -= start;
    for (let end = findFields(row, start); end !== undefined; end = findFields(row, start)) {
      write(row, out);
      start = end;
    }
    partial = row.bytes.subarray(start);
    if (out.length > 0) yield out.take();
  }
}

/** Finds the fields of the row that starts here, and returns its end; undefined if not all of it has arrived. */
function findFields(row: Row, start: number): number | undefined {
  const { view, starts, ends } = row;
  const { byteLength } = view;
  if (start + 2 > byteLength) return undefined;
  const fields = view.getInt16(start);
  if (fields === END_OF_ROWS) return undefined;
  let at = start + 2;
  for (let field = 0; field < fields; field += 1) {
    if (at + 4 > byteLength) return undefined;
    const length = view.getInt32(at);
    at += 4;
    starts[field] = length === NULL_FIELD ? NULL_FIELD : at;
    at += Math.max(length, 0);
    ends[field] = at;
  }
  return at > byteLength ? undefined : at;
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
