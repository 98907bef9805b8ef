import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "#core/database/connect.ts";
import { insertQuarantined, release } from "#core/sign-ups/quarantine.ts";
import { readTotals, verifyTotals } from "#core/sign-ups/totals.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
beforeEach(() => emptyWaitlist(context.db));

async function quarantined(): Promise<string[]> {
  const ada = { first_name: "Ada", last_name: "Lovelace", company: "Acme", newsletter: true, website: "x" };
  await insertQuarantined(context.db, [{ ...ada, email: "ada@example.com", email_key: "ada@example.com" }]);
  return (await context.db.selectFrom("quarantine").select("id").execute()).map(({ id }) => id);
}

afterEach(() => context.db.pool.query("drop trigger if exists fails on quarantine; drop function if exists fails"));

test("a quarantine release that fails halfway changes neither the list nor the quarantine", async () => {
  const ids = await quarantined();
  await context.db.pool.query(`
    create function fails() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$;
    create trigger fails before delete on quarantine execute function fails()`);
  await expect(release(context.db, OPERATOR, ids, false)).rejects.toThrow("disk full");
  expect(await readTotals(context.db.pool)).toEqual({ totalUsers: 0, companiesInterested: 0 });
  expect(await context.db.selectFrom("quarantine").select("id").execute()).toHaveLength(1);
});

test("a quarantine release works on a single connection and keeps the totals exact", async () => {
  const ids = await quarantined();
  const singleDb = connect(context.url);
  singleDb.pool.options.max = 1;
  singleDb.pool.options.connectionTimeoutMillis = 2000;
  try {
    expect(await release(singleDb, OPERATOR, ids, false)).toEqual({ joined: 1, known: 0 });
  } finally {
    await singleDb.destroy();
  }
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 1 } });
});
