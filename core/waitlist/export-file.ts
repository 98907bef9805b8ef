import type { Actor } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { countLines } from "./count-lines.ts";
import type { LinkOf } from "./export-links.ts";
import { exportHeader, exportStream, type Format } from "./export-stream.ts";
import type { Filter } from "./filter.ts";

export interface ExportRequest {
  filter: Filter;
  format: Format;
  hasBom: boolean;
  linkOf: LinkOf | undefined;
}

/** The bytes that `waitlist export` writes. `onRows` gets the number of people in each chunk. */
export async function* exportFile(
  db: Database,
  actor: Actor,
  { filter, format, hasBom, linkOf }: ExportRequest,
  onRows: (people: number) => void,
): AsyncGenerator<Buffer> {
  const header = exportHeader(format, hasBom, linkOf !== undefined);
  if (header) yield Buffer.from(header);
  const client = await db.pool.connect();
  try {
    for await (const chunk of await exportStream(db, actor, client, filter, format, linkOf)) {
      yield chunk;
      onRows(countLines(chunk));
    }
  } finally {
    // Closing the connection ends a query that is still running.
    client.release(true);
  }
}
