import { expect, test } from "vitest";
import { readActivity, readActors, recordActivity } from "#core/activity/activity.ts";
import { createKeys } from "#core/config/keys.ts";
import { erase } from "#core/retention/erase.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { addPeople } from "#tests/support/people.ts";
import { keyOf } from "#tests/support/sign-ups.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();
const keys = createKeys("a secret of at least 32 characters");

test("activity is read newest first, in pages that neither skip nor repeat an entry", async () => {
  const { db } = context;
  for (const count of [1, 2, 3, 4, 5]) await recordActivity(db, OPERATOR, { action: "invite", wave: "9", count });
  const first = await readActivity(db, { limit: 2 });
  expect(first.entries).toMatchObject([
    { actor: "ada", via: "command line", action: "invite", waveId: "9", count: 5, personId: null, email: null },
    { count: 4 },
  ]);
  // New entries don't shift the following pages.
  await recordActivity(db, OPERATOR, { action: "purge", count: 6 });
  const second = await readActivity(db, { limit: 2, before: first.next ?? "" });
  const third = await readActivity(db, { limit: 2, before: second.next ?? "" });
  expect([...second.entries, ...third.entries].map(({ count }) => count)).toEqual([3, 2, 1]);
  expect(third.next).toBe(null);
});

test("an entry shows a person's address while they are on the list, and nothing of them after", async () => {
  const { db } = context;
  const [ada = "", bob = ""] = await addPeople(db, [{ email: "ada@example.com" }, { email: "bob@example.com" }]);
  for (const person of [ada, bob]) await recordActivity(db, OPERATOR, { action: "edit", person });
  expect((await readActivity(db, { limit: 9, person: bob })).entries).toMatchObject([
    { action: "edit", personId: bob, email: "bob@example.com" },
  ]);
  await erase(db, null, keyOf("bob@example.com"), keys);
  expect((await readActivity(db, { limit: 9 })).entries.map(({ personId, email }) => [personId, email])).toEqual([
    [bob, null],
    [ada, "ada@example.com"],
  ]);
  const { rows } = await db.pool.query("select activity::text as entry from activity");
  expect(rows.filter(({ entry }) => entry.includes("bob"))).toEqual([]);
});

test("activity is filtered by operator and by day in UTC, and its operators are listed", async () => {
  const { db } = context;
  for (const [count, name] of ["ada", "bob", "ada"].entries())
    await recordActivity(db, { name, via: "console" }, { action: "purge", count: count + 1 });
  await db.pool.query(
    "update activity set at = case count when 1 then '2026-11-30T00:00Z' when 2 then '2026-11-30T23:59Z' else '2026-12-01T00:00Z' end::timestamptz",
  );
  const counts = async (query: { by?: string; on?: Date }) =>
    (await readActivity(db, { limit: 9, ...query })).entries.map(({ count }) => count);
  expect(await counts({ by: "ada" })).toEqual([3, 1]);
  expect(await counts({ on: new Date("2026-11-30") })).toEqual([2, 1]);
  expect(await counts({ by: "ada", on: new Date("2026-11-30") })).toEqual([1]);
  expect(await counts({ by: "eve" })).toEqual([]);
  expect(await readActors(db)).toEqual(["ada", "bob"]);
});
