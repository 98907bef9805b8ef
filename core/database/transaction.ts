import type { Pool, PoolClient } from "pg";
import { isTransient } from "./faults.ts";

/** What statements run on: the pool, each on any connection, or one connection, all in its transaction. */
export type Executor = Pick<Pool | PoolClient, "query">;

/** One transaction on one connection of the pool. Rolled back where the work throws. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (reason) {
    await client.query("rollback").catch((failed: Error) => {
      broken = failed;
    });
    throw reason;
  } finally {
    // A connection that can't even roll back is closed, and PostgreSQL rolls back for it.
    client.release(broken);
  }
}

const MAX_ATTEMPTS = 5;

/** Tries again what lost a deadlock or a serialization conflict. The work must be a whole transaction. */
export async function retryTransient<Result>(work: () => Promise<Result>, maxAttempts = MAX_ATTEMPTS): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (reason) {
      if (attempt >= maxAttempts || !isTransient(reason)) throw reason;
    }
  }
}
