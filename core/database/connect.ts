import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { type Breaker, type BreakerOptions, createBreaker } from "./breaker.ts";
import { isDurable, requireSafeSession } from "./durability.ts";
import { DurableClient } from "./durable-client.ts";
import type { Tables } from "./tables.ts";

/**
 * Operators and start-up use Kysely. Queries that a visitor waits for use `pool`, because Kysely has no named prepared
 * statements and doesn't drop a connection that timed out.
 */
export class Database extends Kysely<Tables> {
  readonly pool: Pool;
  readonly breaker: Breaker;

  constructor(pool: Pool, breaker: Breaker) {
    super({ dialect: new PostgresDialect({ pool }) });
    this.pool = pool;
    this.breaker = breaker;
  }

  /** Tries to read, so that an outage is noticed even if nobody signs up. */
  async isUp(): Promise<boolean> {
    if (this.breaker.isUp()) await this.breaker.read(() => this.pool.query("select")).catch(() => {});
    return this.breaker.isUp();
  }

  /** Ends the pool itself, because Kysely doesn't end a pool that it has never used. */
  override async destroy(): Promise<void> {
    this.breaker.stop();
    await super.destroy();
    if (!this.pool.ended) await this.pool.end();
  }
}

export const MAX_CONNECTIONS = 10;
/** Few connections, so that member pages, which count everyone ahead in line, don't slow down sign-ups. */
export const MAX_MEMBER_CONNECTIONS = 3;
/** For the mail worker inside a server: one connection claims mails, the others record the results. */
export const MAX_MAIL_CONNECTIONS = 4;
/** For the team console's searches and counts, so that they leave it connections and sign-ups the processor. */
export const READS = { timeoutMs: 5000, connectTimeoutMs: 5000, maxConnections: 4 };

export interface ConnectOptions extends Omit<BreakerOptions, "probe"> {
  /** Statement timeout. None by default, because migrations and exports are long-running. */
  timeoutMs?: number;
  connectTimeoutMs?: number;
  maxConnections?: number;
}

/** Opens a pool that connects on demand. `destroy()` closes it. */
export function connect(
  url: string,
  { timeoutMs, connectTimeoutMs, maxConnections = MAX_CONNECTIONS, ...callbacks }: ConnectOptions = {},
): Database {
  const pool = new Pool({
    connectionString: url,
    Client: DurableClient,
    onConnect: requireSafeSession,
    max: maxConnections,
    // Two connections stay open, so that the first visitor after a quiet period doesn't wait for a connection.
    min: 2,
    connectionTimeoutMillis: connectTimeoutMs ?? (timeoutMs ? 1000 : 5000),
    keepAlive: true,
    // A client that stalls inside a transaction must not block sign-ups with its locks.
    idle_in_transaction_session_timeout: 10_000,
    // PostgreSQL times out first. If it hangs, the client times out 300 ms later.
    ...(timeoutMs && { statement_timeout: timeoutMs, query_timeout: timeoutMs + 300 }),
  });
  const db = new Database(pool, createBreaker({ probe: () => isDurable(pool), ...callbacks }));
  // An idle connection broke. Check whether the whole database is down.
  pool.on("error", () => db.isUp());
  return db;
}
