import { randomBytes } from "node:crypto";
import type { QueryConfig } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { confirmAddress, setNewsletter } from "#core/members/store.ts";
import { type Join, openWaitlist } from "#core/waitlist/join.ts";
import { readTotals, verifyTotals } from "#core/waitlist/totals.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const options = (db: Database) => ({ maxQueueLength: 100_000, totals: () => readTotals(db.pool) });
let join: Join;
/** The join of a second server, with its own connections. */
let joinElsewhere: Join;
let secondDb: Database;

beforeAll(() => {
  join = openWaitlist(context.db, options(context.db)).join;
  secondDb = connect(context.url);
  joinElsewhere = openWaitlist(secondDb, options(secondDb)).join;
});
afterAll(() => secondDb.destroy());
beforeEach(() => emptyWaitlist(context.db));

const newKey = () => randomBytes(16).toString("hex");
const kinds = async (outcomes: Promise<{ kind: string }>[]) => (await Promise.all(outcomes)).map(({ kind }) => kind);
const rows = () => context.db.selectFrom("sign_ups").selectAll().execute();

describe("a batch of concurrent sign-ups", () => {
  test("gives each sign-up its own outcome", async () => {
    const [ada, bob, cy] = [aSignUp(), aSignUp(), aSignUp()];
    await join(bob, null);
    const signUps = [ada, bob, { ...ada, email: ada.email.toUpperCase() }, cy, ada];
    expect(await kinds(signUps.map((signUp) => join(signUp, null)))).toEqual([
      "joined",
      "already-joined",
      "already-joined",
      "joined",
      "already-joined",
    ]);
    expect(await rows()).toHaveLength(3);
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 3 } });
  });

  test("fails only the sign-up that can't be stored", async () => {
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

  test("returns totals that include each sign-up", async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => join(aSignUp({ company: "Acme" }), null)));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ kind: "joined", totals: { companiesInterested: 1 } });
    const last = await join(aSignUp({ company: "Umbrella" }), null);
    expect(last).toEqual({ kind: "joined", totals: { totalUsers: 41, companiesInterested: 2 } });
  });

  test("is retried after a deadlock with another transaction", async () => {
    await Promise.all([join(aSignUp({ company: "Acme" }), null), join(aSignUp({ company: "Zeta" }), null)]);
    const client = await context.db.pool.connect();
    const lockCompany = (key: string) => client.query("update companies set sign_ups = sign_ups where key = $1", [key]);
    await client.query("begin");
    await lockCompany("zeta");
    const joining = Promise.all([join(aSignUp({ company: "Acme" }), null), join(aSignUp({ company: "Zeta" }), null)]);
    await untilBlocked(context.db);
    // The batch holds acme and waits for zeta; this client holds zeta and now wants acme.
    await lockCompany("acme");
    await client.query("commit");
    client.release();
    expect((await joining).map(({ kind }) => kind)).toEqual(["joined", "joined"]);
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 4 } });
  });
});

describe("a retry with the same idempotency key", () => {
  test("gets the first outcome again and is counted once", async () => {
    const [ada, key] = [aSignUp(), newKey()];
    expect(await kinds([join(ada, key)])).toEqual(["joined"]);
    expect(await kinds([join(ada, key), joinElsewhere(ada, key)])).toEqual(["joined", "joined"]);
    expect(await kinds([join(ada, newKey()), join(ada, null)])).toEqual(["already-joined", "already-joined"]);
    expect(await readTotals(context.db.pool)).toMatchObject({ totalUsers: 1 });
  });

  test("gets the same outcome when both requests arrive together, at one server or two", async () => {
    for (let round = 0; round < 50; round += 1) {
      const [ada, key] = [aSignUp(), newKey()];
      const requests = [join(ada, key), joinElsewhere(ada, key), join(ada, key), joinElsewhere(ada, key)];
      expect(await kinds(requests)).toEqual(["joined", "joined", "joined", "joined"]);
    }
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 50 } });
  });

  test("when its lookup fails, only the retry fails; a new sign-up in the same batch still joins", async () => {
    const [ada, bob, key] = [aSignUp(), aSignUp(), newKey()];
    const db = connect(context.url);
    const { join: flaky } = openWaitlist(db, options(db));
    await flaky(ada, key);
    const query = db.pool.query.bind(db.pool);
    db.pool.query = ((statement: QueryConfig) =>
      statement.name === "find-retries"
        ? Promise.reject(new Error("Connection terminated"))
        : query(statement)) as typeof db.pool.query;
    const [retry, newcomer] = await Promise.allSettled([flaky(ada, key), flaky(bob, newKey())]);
    expect(retry.status).toBe("rejected");
    expect(newcomer).toMatchObject({ value: { kind: "joined" } });
    await db.destroy();
  });

  test("counts as a duplicate for any other address", async () => {
    const [ada, bob, key] = [aSignUp(), aSignUp(), newKey()];
    await join(bob, null);
    expect(await kinds([join(ada, key), join(bob, key)])).toEqual(["joined", "already-joined"]);
  });

  test("counts as a duplicate after 24 hours", async () => {
    const [ada, key] = [aSignUp(), newKey()];
    const setAge = (hours: number) =>
      context.db.pool.query(`update sign_ups set joined_at = now() - interval '${hours} hours'`);
    await join(ada, key);
    await setAge(23.9);
    expect(await kinds([join(ada, key)])).toEqual(["joined"]);
    await setAge(24.1);
    expect(await kinds([join(ada, key)])).toEqual(["already-joined"]);
  });
});

describe("an idempotency key with other content", () => {
  const ada = () => aSignUp({ company: "Acme, Inc.", newsletter: true });
  const others = { firstName: "Grace", lastName: "Hopper", company: "Acme", newsletter: false };

  test.each(Object.entries(others))("is refused if %s differs", async (field, value) => {
    const [person, key] = [ada(), newKey()];
    await join(person, key);
    const changed = { ...person, [field]: value };
    expect(await kinds([joinElsewhere(changed, key), join(person, key)])).toEqual(["key-reused", "joined"]);
    expect(await rows()).toMatchObject([{ first_name: "Ada", company: "Acme, Inc.", newsletter: true }]);
  });

  test("is refused if it arrives together with the first", async () => {
    const [person, key] = [ada(), newKey()];
    expect(await kinds([join(person, key), join({ ...person, firstName: "Grace" }, key)])).toEqual([
      "joined",
      "key-reused",
    ]);
  });

  test("counts as a duplicate after 24 hours", async () => {
    const [person, key] = [ada(), newKey()];
    await join(person, key);
    await context.db.pool.query("update sign_ups set joined_at = now() - interval '24.1 hours'");
    expect(await kinds([join({ ...person, firstName: "Grace" }, key)])).toEqual(["already-joined"]);
  });

  test("is not what a retry has after the member has unsubscribed or, once confirmed, changed their name", async () => {
    const [person, key] = [ada(), newKey()];
    await join(person, key);
    const [member] = await rows();
    await setNewsletter(context.db, null, member?.id ?? "", false);
    expect(await kinds([join(person, key)])).toEqual(["joined"]);
    await confirmAddress(context.db, member?.id ?? "");
    await context.db.pool.query("update sign_ups set first_name = 'Augusta', company = null");
    expect(await kinds([join(person, key)])).toEqual(["joined"]);
  });
});

test("two servers writing concurrently accept each address once and keep the totals exact", async () => {
  const people = Array.from({ length: 3000 }, (_, i) =>
    aSignUp({ email: `Visitor${i % 2100}@Example.com`, company: `Company ${i % 97}`, newsletter: i % 3 === 0 }),
  );
  const outcomes = await kinds(people.map((signUp, i) => (i % 2 ? join : joinElsewhere)(signUp, null)));
  expect(outcomes.filter((kind) => kind === "joined")).toHaveLength(2100);
  expect(outcomes.filter((kind) => kind === "already-joined")).toHaveLength(900);
  expect(await verifyTotals(context.db)).toEqual({
    kept: { totalUsers: 2100, companiesInterested: 97 },
    counted: { totalUsers: 2100, companiesInterested: 97 },
    wrongCompanies: 0,
    exact: true,
  });
});

test("verifyTotals detects wrong totals and a wrong company count", async () => {
  await join(aSignUp({ company: "Acme" }), null);
  await context.db.updateTable("totals").set({ users: "7" }).where("slot", "=", 3).execute();
  expect(await verifyTotals(context.db)).toMatchObject({ exact: false, wrongCompanies: 0 });
  await emptyWaitlist(context.db);
  await join(aSignUp({ company: "Acme" }), null);
  await context.db.updateTable("companies").set({ sign_ups: 2 }).execute();
  expect(await verifyTotals(context.db)).toMatchObject({ exact: false, wrongCompanies: 1 });
});

test("a failure to flag another email as due is reported and leaves the outcome already-joined", async () => {
  const faults: unknown[] = [];
  const withMail = openWaitlist(context.db, {
    ...options(context.db),
    isMailed: true,
    onFault: (reason) => faults.push(reason),
  });
  const ada = aSignUp();
  expect(await kinds([withMail.join(ada, null)])).toEqual(["joined"]);
  await context.db.pool.query(`
    create function fails() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$;
    create trigger fails before update on sign_ups execute function fails()`);
  try {
    expect(await kinds([withMail.join(ada, null)])).toEqual(["already-joined"]);
    expect(faults).toMatchObject([{ message: "out of order" }]);
  } finally {
    await context.db.pool.query("drop trigger fails on sign_ups; drop function fails");
  }
});
