import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import type { Tables } from "./tables.ts";

export type Database = Kysely<Tables>;

export interface ConnectOptions {
  /** Called when an idle connection breaks; without a listener that would end the process. */
  onIdleError?: (reason: Error) => void;
}

/** A pool that opens connections as they are needed. `destroy()` closes it. */
export function connect(url: string, { onIdleError = () => {} }: ConnectOptions = {}): Database {
  const pool = new Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 2000 });
  pool.on("error", onIdleError);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
