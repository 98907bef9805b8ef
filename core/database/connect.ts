import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import type { Tables } from "./tables.ts";

/**
 * Kysely for operators and start-up, `pool` for queries that a visitor waits for: Kysely has no named prepared
 * statements and doesn't drop a connection that timed out.
 */
export class Database extends Kysely<Tables> {
  readonly pool: Pool;

  constructor(pool: Pool) {
    super({ dialect: new PostgresDialect({ pool }) });
    this.pool = pool;
  }

  /** Kysely ends the pool only if it has used it. */
  override async destroy(): Promise<void> {
    await super.destroy();
    if (!this.pool.ended) await this.pool.end();
  }
}

export interface ConnectOptions {
  /** Called when an idle connection breaks; without a listener the process would crash. */
  onIdleError?: (reason: Error) => void;
  /** Statement timeout. None by default, because migrations and exports are long-running. */
  timeoutMs?: number;
  /** The size of the pool. */
  maxConnections?: number;
}

/** Opens a pool that connects on demand. `destroy()` closes it. */
export function connect(
  url: string,
  { onIdleError = () => {}, timeoutMs, maxConnections = 10 }: ConnectOptions = {},
): Database {
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    // Two stay open, so that the first visitor after a quiet period doesn't wait for a connection.
    min: 2,
    connectionTimeoutMillis: timeoutMs ? 1000 : 5000,
    keepAlive: true,
    // A client that stalls inside a transaction must not block sign-ups with its locks.
    idle_in_transaction_session_timeout: 10_000,
    // PostgreSQL times out first; if it is frozen, the client does, 300 ms later.
    ...(timeoutMs && { statement_timeout: timeoutMs, query_timeout: timeoutMs + 300 }),
  });
  pool.on("error", onIdleError);
  return new Database(pool);
}
