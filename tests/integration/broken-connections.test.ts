import { sql } from "kysely";
import { expect, test } from "vitest";
import { inTransaction } from "#core/database/transaction.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();

/** What a failover does to a connection that is in use. */
async function breakConnection(pid: number): Promise<void> {
  await context.db.pool.query("select pg_terminate_backend($1)", [pid]);
  await new Promise((resolve) => setTimeout(resolve, 200));
}

// Without a listener for the client's error event, each would be an uncaught exception, which ends the process.
test("a connection that breaks in a transaction fails the transaction, not the process", async () => {
  const work = inTransaction(context.db.pool, async (client) => {
    const { rows } = await client.query("select pg_backend_pid() as pid");
    await breakConnection(rows[0].pid);
    await client.query("select");
  });
  await expect(work).rejects.toThrow();
});

test("a connection that breaks in a transaction of Kysely's fails the transaction, not the process", async () => {
  const work = context.db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await breakConnection(rows[0]?.pid ?? 0);
    await sql`select`.execute(transaction);
  });
  await expect(work).rejects.toThrow();
});
