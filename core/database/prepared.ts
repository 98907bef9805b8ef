import type { RawBuilder } from "kysely";
import type { Database } from "./connect.ts";

/** Runs a named statement, which each connection parses and plans only once. Its text must always be the same. */
export async function runPrepared<Row>(db: Database, name: string, statement: RawBuilder<Row>): Promise<Row[]> {
  const { sql: text, parameters: values } = statement.compile(db);
  const { rows } = await db.pool.query({ name, text, values: [...values] });
  return rows;
}
