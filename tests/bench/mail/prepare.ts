import { createMessage, prepareMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { withDatabase } from "./database.ts";

/** The seconds it takes to prepare a message to this many people. */
export async function measurePrepare(kind: "announcement" | "invitation", people: number): Promise<number> {
  return withDatabase(async (db) => {
    await db.pool.query(
      `insert into sign_ups (email_key, email, first_name, last_name, newsletter, confirmed_at)
      select address, address, 'Ada', 'Lovelace', true, now()
      from generate_series(1, $1::integer) as number, format('p%s@example.com', number) as address`,
      [people],
    );
    // On a real list of this size, autovacuum would have run.
    await db.pool.query("vacuum analyze sign_ups");
    const { id } = await createMessage(db, OPERATOR, { kind, subject: "News", body: "Hi", audience: {}, pace: null });
    const startedAt = performance.now();
    let added = 0;
    await prepareMessage(db, OPERATOR, id, undefined, (chunk) => {
      added += chunk;
    });
    const seconds = (performance.now() - startedAt) / 1000;
    if (added !== people) throw new Error(`Prepared ${added} of ${people}`);
    return seconds;
  });
}
