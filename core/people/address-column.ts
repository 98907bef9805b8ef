import { csvRows, type UnreadableCsv } from "#core/text/parse-csv.ts";
import { looksLikeAddress } from "./address.ts";

/** Mail providers' names for the column: email, Email Address, recipient. */
export const COLUMN_NAME = /^(e-?mail([ _-]?address)?|address|recipient)$/i;

/**
 * Yields the address of each row of a CSV file, and undefined for a row without one. The header is optional: without
 * it, the column is the first with an address in the first row. Other columns are ignored. If the file can't be read,
 * the last item says why.
 */
export async function* addressColumn(
  chunks: AsyncIterable<string>,
): AsyncGenerator<string | UnreadableCsv | undefined> {
  let column: number | undefined;
  for await (const row of csvRows(chunks)) {
    if ("unreadable" in row) return yield row;
    const cells = row.map(cleanCell);
    if (column === undefined) {
      column = cells.findIndex(looksLikeAddress);
      if (column === -1) {
        column = cells.findIndex((name) => COLUMN_NAME.test(name));
        if (column === -1) return yield { unreadable: "its first row has neither an address nor a column named email" };
        continue;
      }
    }
    const cell = cells[column];
    yield cell !== undefined && looksLikeAddress(cell) ? cell : undefined;
  }
}

/** Removes the apostrophe that our own exports put before a cell that looks like a formula. */
export function cleanCell(cell: string): string {
  return cell.trim().replace(/^'(?=[=+\-@])/, "");
}
