import type { RawBuilder } from "kysely";
import type { Database } from "./connect.ts";

/** Small enough that rows are garbage-collected early: chunks of 5,000 used 100 MB more memory. */
const CHUNK_SIZE = 1000;

/** Reads all rows of a query from one snapshot, a chunk at a time, so that memory use doesn't grow with the table. */
export async function* readInChunks<Row>(db: Database, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  const { sql, parameters } = query.compile(db);
  const client = await db.pool.connect();
  try {
    // No timeout, because a download may pause; a read-only transaction blocks no sign-up.
    await client.query(
      "begin isolation level repeatable read, read only; set local idle_in_transaction_session_timeout = 0",
    );
    await client.query(`declare chunks no scroll cursor for ${sql}`, [...parameters]);
    const fetchChunk = () => client.query(`fetch ${CHUNK_SIZE} from chunks`);
    for (let chunk = await fetchChunk(); chunk.rows.length > 0; ) {
      // Prefetched, so that PostgreSQL reads the next chunk while the caller uses this one.
      const next = fetchChunk();
      next.catch(() => {});
      yield chunk.rows as Row[];
      chunk = await next;
    }
  } finally {
    // Closing the connection ends its transaction and cursor too.
    client.release(true);
  }
}
