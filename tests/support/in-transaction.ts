import type { Pool, PoolClient } from "pg";

/** On a client of the test's own, so that the test can hold its locks. Closes it if the work fails. */
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
