import { CompiledQuery, type Kysely, sql } from "kysely";
import type { QueryConfig, QueryResultRow } from "pg";
import { faultOf } from "./faults.ts";
import type { Tables } from "./tables.ts";

/** A transaction, or a pool, which may run each statement on another connection. */
export interface Executor {
  query<Row extends QueryResultRow>(statement: QueryConfig): Promise<{ rows: Row[] }>;
}

/** Ignores a statement's name, because Kysely can't prepare statements. */
export const executor = (transaction: Kysely<Tables>): Executor => ({
  query: ({ text, values = [] }) => transaction.executeQuery(CompiledQuery.raw(text, values)),
});

declare const chunk: unique symbol;

/**
 * A transaction whose locks no visitor notices: a chunk of `changeMany`, or a change to one person. Statements that
 * change a set of people take one, so that no other transaction can run them.
 */
export type Chunk = Kysely<Tables> & { readonly [chunk]: true };

/** For a transaction that changes one person. */
export const onePerson = (transaction: Kysely<Tables>) => transaction as Chunk;

/** Retries after a deadlock or a serialization failure. `work` must be a whole transaction. */
export async function retryTransient<Result>(work: () => Promise<Result>, maxAttempts = 5): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (reason) {
      if (attempt >= maxAttempts || faultOf(reason) !== "conflict") throw reason;
    }
  }
}

/** Many attempts, because sign-ups keep locking the same companies, and an erasure must not fail. */
export function retryTransaction<Result>(db: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<Result>) {
  return retryTransient(() => db.transaction().execute(work), 100);
}

/** Returns the result, or undefined if a statement takes longer than `maxMs`. 0 means no timeout. */
export async function withinTime<Result>(
  db: Kysely<Tables>,
  read: (transaction: Kysely<Tables>) => Promise<Result>,
  maxMs = 1000,
): Promise<Result | undefined> {
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = ${sql.lit(maxMs)}`.execute(transaction);
      return read(transaction);
    });
  } catch (reason) {
    if (faultOf(reason) === "timeout") return undefined;
    throw reason;
  }
}
