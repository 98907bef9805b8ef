import { beforeEach, expect, test } from "vitest";
import { type Actor, readActivity, recordActivity } from "#core/activity.ts";
import { createKeys } from "#core/config/keys.ts";
import { readSignUp } from "#core/people/person-data.ts";
import { addressHash, erase } from "#core/retention/erase.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { openWaitlist } from "#core/sign-ups/join.ts";
import { readTotals } from "#core/sign-ups/totals.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const ada: Actor = { name: "ada", via: "command line" };
const keys = createKeys("a secret of at least 32 characters");

beforeEach(() => emptyWaitlist(context.db));

async function join(email: string): Promise<string> {
  const { db } = context;
  await recordConsentWording(db);
  await openWaitlist(db, { maxQueueLength: 10, totals: () => readTotals(db.pool) }).join(aSignUp({ email }), null);
  return (await readSignUp(db, { email_key: email }))?.id ?? "";
}

test("activity is read newest first, in pages that neither skip nor repeat an entry", async () => {
  for (const count of [1, 2, 3, 4, 5]) await recordActivity(context.db, ada, { action: "invite", wave: "9", count });
  const first = await readActivity(context.db, { limit: 2 });
  expect(first.entries).toMatchObject([
    { actor: "ada", via: "command line", action: "invite", waveId: "9", count: 5, personId: null, email: null },
    { count: 4 },
  ]);
  // New entries don't move the pages that follow.
  await recordActivity(context.db, ada, { action: "purge", count: 6 });
  const second = await readActivity(context.db, { limit: 2, before: first.next ?? "" });
  const third = await readActivity(context.db, { limit: 2, before: second.next ?? "" });
  expect([...second.entries, ...third.entries].map(({ count }) => count)).toEqual([3, 2, 1]);
  expect(third.next).toBe(null);
});

test("an entry shows a person's address while they are on the list, and nothing of them after", async () => {
  const [bob, eve] = [await join("bob@example.com"), await join("eve@example.com")];
  for (const person of [bob, eve]) await recordActivity(context.db, ada, { action: "edit", person });
  expect((await readActivity(context.db, { limit: 9, person: bob })).entries).toMatchObject([
    { action: "edit", personId: bob, email: "bob@example.com" },
  ]);
  await erase(context.db, null, "bob@example.com", addressHash(keys, "bob@example.com"));
  const { entries } = await readActivity(context.db, { limit: 9 });
  expect(entries.map(({ personId, email }) => [personId, email])).toEqual([
    [eve, "eve@example.com"],
    [bob, null],
  ]);
  const { rows } = await context.db.pool.query("select activity::text as entry from activity");
  expect(rows.filter(({ entry }) => entry.includes("bob"))).toEqual([]);
});

test("an entry is rolled back with the change that it is about", async () => {
  const work = context.db.transaction().execute(async (transaction) => {
    await recordActivity(transaction, ada, { action: "purge", count: 1 });
    throw new Error("the change failed");
  });
  await expect(work).rejects.toThrow("the change failed");
  expect(await readActivity(context.db, { limit: 9 })).toEqual({ entries: [], next: null });
});
