import { randomBytes } from "node:crypto";
import type { QueryConfig } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { type Join, openWaitlist } from "#core/waitlist/join.ts";
import { readTotals, verifyTotals } from "#core/waitlist/totals.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const options = (db: Database) => ({ maxQueueLength: 100_000, totals: () => readTotals(db.pool) });
let join: Join;
/** A second server's, on connections of its own. */
let elsewhere: Join;
let secondDb: Database;

beforeAll(() => {
  join = openWaitlist(context.db, options(context.db)).join;
  secondDb = connect(context.url);
  elsewhere = openWaitlist(secondDb, options(secondDb)).join;
});
afterAll(() => secondDb.destroy());
beforeEach(() => emptyWaitlist(context.db));

const aKey = () => randomBytes(16).toString("hex");
const kinds = async (outcomes: Promise<{ kind: string }>[]) => (await Promise.all(outcomes)).map(({ kind }) => kind);
const rows = () => context.db.selectFrom("sign_ups").selectAll().execute();

describe("those who arrive together are written together", () => {
  test("and each hears what is true of them", async () => {
    const [ada, bob, cy] = [aSignUp(), aSignUp(), aSignUp()];
    await join(bob, null);
    const arriving = [ada, bob, { ...ada, email: ada.email.toUpperCase() }, cy, ada];
    expect(await kinds(arriving.map((signUp) => join(signUp, null)))).toEqual([
      "joined",
      "already-joined",
      "already-joined",
      "joined",
      "already-joined",
    ]);
    expect(await rows()).toHaveLength(3);
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 3 } });
  });

  test("and one that can't be stored fails alone", async () => {
    const people = Array.from({ length: 33 }, () => aSignUp({ company: "Acme" }));
    const unstorable = aSignUp({ firstName: "nobody\u0000" });
    const outcomes = await Promise.allSettled(people.toSpliced(20, 0, unstorable).map((signUp) => join(signUp, null)));
    expect(outcomes.map(({ status }) => status).indexOf("rejected")).toBe(20);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(33);
    expect(await verifyTotals(context.db)).toMatchObject({
      exact: true,
      counted: { totalUsers: 33, companiesInterested: 1 },
    });
  });

  test("and each is told a total that counts them", async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => join(aSignUp({ company: "Acme" }), null)));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ kind: "joined", totals: { companiesInterested: 1 } });
    const last = await join(aSignUp({ company: "Umbrella" }), null);
    expect(last).toEqual({ kind: "joined", totals: { totalUsers: 41, companiesInterested: 2 } });
  });

  test("and a deadlock with someone else's transaction is tried again", async () => {
    await Promise.all([join(aSignUp({ company: "Acme" }), null), join(aSignUp({ company: "Zeta" }), null)]);
    const client = await context.db.pool.connect();
    const touch = (key: string) => client.query("update companies set sign_ups = sign_ups where key = $1", [key]);
    await client.query("begin");
    await touch("zeta");
    const joining = Promise.all([join(aSignUp({ company: "Acme" }), null), join(aSignUp({ company: "Zeta" }), null)]);
    await untilBlocked(context.db);
    // It holds acme and waits for zeta; we hold zeta and now want acme.
    await touch("acme");
    await client.query("commit");
    client.release();
    expect((await joining).map(({ kind }) => kind)).toEqual(["joined", "joined"]);
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 4 } });
  });
});

describe("the same form, sent again because its answer got lost", () => {
  test("gets its first answer again", async () => {
    const [ada, key] = [aSignUp(), aKey()];
    expect(await kinds([join(ada, key)])).toEqual(["joined"]);
    expect(await kinds([join(ada, key), elsewhere(ada, key)])).toEqual(["joined", "joined"]);
    expect(await kinds([join(ada, aKey()), join(ada, null)])).toEqual(["already-joined", "already-joined"]);
    expect(await readTotals(context.db.pool)).toMatchObject({ totalUsers: 1 });
  });

  test("also when both arrive at the same moment, here or at two servers", async () => {
    for (let round = 0; round < 50; round += 1) {
      const [ada, key] = [aSignUp(), aKey()];
      const together = [join(ada, key), elsewhere(ada, key), join(ada, key), elsewhere(ada, key)];
      expect(await kinds(together)).toEqual(["joined", "joined", "joined", "joined"]);
    }
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 50 } });
  });

  test("and when that can't be asked any more, those who are new are still told that they are in", async () => {
    const [ada, bob, key] = [aSignUp(), aSignUp(), aKey()];
    const db = connect(context.url);
    const { join: flaky } = openWaitlist(db, options(db));
    await flaky(ada, key);
    const query = db.pool.query.bind(db.pool);
    db.pool.query = ((statement: QueryConfig) =>
      statement.name === "find-retries"
        ? Promise.reject(new Error("Connection terminated"))
        : query(statement)) as typeof db.pool.query;
    const [again, newcomer] = await Promise.allSettled([flaky(ada, key), flaky(bob, aKey())]);
    expect(again.status).toBe("rejected");
    expect(newcomer).toMatchObject({ value: { kind: "joined" } });
    await db.destroy();
  });

  test("but only for the same address", async () => {
    const [ada, bob, key] = [aSignUp(), aSignUp(), aKey()];
    await join(bob, null);
    expect(await kinds([join(ada, key), join(bob, key)])).toEqual(["joined", "already-joined"]);
  });

  test("and only for a day", async () => {
    const [ada, key] = [aSignUp(), aKey()];
    const agedBy = (hours: number) =>
      context.db.pool.query(`update sign_ups set joined_at = now() - interval '${hours} hours'`);
    await join(ada, key);
    await agedBy(23.9);
    expect(await kinds([join(ada, key)])).toEqual(["joined"]);
    await agedBy(24.1);
    expect(await kinds([join(ada, key)])).toEqual(["already-joined"]);
  });
});

test("two servers writing at once: each address joins once, and the totals are exact", async () => {
  const people = Array.from({ length: 3000 }, (_, i) =>
    aSignUp({ email: `Visitor${i % 2100}@Example.com`, company: `Company ${i % 97}`, newsletter: i % 3 === 0 }),
  );
  const outcomes = await kinds(people.map((signUp, i) => (i % 2 ? join : elsewhere)(signUp, null)));
  expect(outcomes.filter((kind) => kind === "joined")).toHaveLength(2100);
  expect(outcomes.filter((kind) => kind === "already-joined")).toHaveLength(900);
  expect(await verifyTotals(context.db)).toEqual({
    kept: { totalUsers: 2100, companiesInterested: 97 },
    counted: { totalUsers: 2100, companiesInterested: 97 },
    wrongCompanies: 0,
    exact: true,
  });
});

test("verification notices totals that are off, and a company that is", async () => {
  await join(aSignUp({ company: "Acme" }), null);
  await context.db.updateTable("totals").set({ users: "7" }).where("slot", "=", 3).execute();
  expect(await verifyTotals(context.db)).toMatchObject({ exact: false, wrongCompanies: 0 });
  await emptyWaitlist(context.db);
  await join(aSignUp({ company: "Acme" }), null);
  await context.db.updateTable("companies").set({ sign_ups: 2 }).execute();
  expect(await verifyTotals(context.db)).toMatchObject({ exact: false, wrongCompanies: 1 });
});

test("a mail that can't be flagged as due again is reported, and nobody is told otherwise", async () => {
  const faults: unknown[] = [];
  const mailed = openWaitlist(context.db, {
    ...options(context.db),
    isMailed: true,
    onFault: (reason) => faults.push(reason),
  });
  const ada = aSignUp();
  expect(await kinds([mailed.join(ada, null)])).toEqual(["joined"]);
  await context.db.pool.query(`
    create function fails() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$;
    create trigger fails before update on sign_ups execute function fails()`);
  try {
    expect(await kinds([mailed.join(ada, null)])).toEqual(["already-joined"]);
    expect(faults).toMatchObject([{ message: "out of order" }]);
  } finally {
    await context.db.pool.query("drop trigger fails on sign_ups; drop function fails");
  }
});
