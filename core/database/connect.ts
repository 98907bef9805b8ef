import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import type { Tables } from "./tables.ts";

/**
 * Kysely for what an operator or a start asks; its pool for what a visitor waits for, because Kysely neither prepares by
 * name nor drops a connection that timed out.
 */
export class Database extends Kysely<Tables> {
  readonly pool: Pool;

  constructor(pool: Pool) {
    super({ dialect: new PostgresDialect({ pool }) });
    this.pool = pool;
  }

  /** Kysely ends the pool only if it has used it itself. */
  override async destroy(): Promise<void> {
    await super.destroy();
    if (!this.pool.ended) await this.pool.end();
  }
}

export interface ConnectOptions {
  /** Called when an idle connection breaks; without a listener that would end the process. */
  onIdleError?: (reason: Error) => void;
  /** How long a statement may take. None by default: a migration or an export takes as long as it takes. */
  timeoutMs?: number;
}

/** A pool that opens connections as they are needed. `destroy()` closes it. */
export function connect(url: string, { onIdleError = () => {}, timeoutMs }: ConnectOptions = {}): Database {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    // Two stay open, so that the first visitor in a while doesn't wait for one.
    min: 2,
    connectionTimeoutMillis: timeoutMs ? 1000 : 5000,
    keepAlive: true,
    // A client that fell asleep in the middle of something must not hold up those who join.
    idle_in_transaction_session_timeout: 10_000,
    // PostgreSQL gives up first; should it be frozen and unable to, the client does, a moment later.
    ...(timeoutMs && { statement_timeout: timeoutMs, query_timeout: timeoutMs + 300 }),
  });
  pool.on("error", onIdleError);
  return new Database(pool);
}
