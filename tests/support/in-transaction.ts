import type { Pool, PoolClient } from "pg";

/** Runs the work on its own client, so that a test can hold locks. Closes the client if the work fails. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failed: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (reason) {
    failed = reason as Error;
    throw reason;
  } finally {
    client.release(failed);
  }
}
