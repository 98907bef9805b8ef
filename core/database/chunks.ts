import type { RawBuilder } from "kysely";
import type { Database } from "./connect.ts";

const ROWS = 5000;

/** All rows of a query as of one moment, some thousands at a time, so that any number of them takes the same memory. */
export async function* readInChunks<Row>(db: Database, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  const { sql, parameters } = query.compile(db);
  const client = await db.pool.connect();
  try {
    await client.query("begin isolation level repeatable read, read only");
    await client.query(`declare pieces no scroll cursor for ${sql}`, [...parameters]);
    const fetch = () => client.query(`fetch ${ROWS} from pieces`);
    for (let piece = await fetch(); piece.rows.length > 0; ) {
      // Asked for before this one is used, so that neither side waits for the other.
      const next = fetch();
      next.catch(() => {});
      yield piece.rows as Row[];
      piece = await next;
    }
  } finally {
    // Whatever is open on it ends with it.
    client.release(true);
  }
}
