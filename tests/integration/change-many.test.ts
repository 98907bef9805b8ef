import { sql } from "kysely";
import { expect, test } from "vitest";
import { changeMany } from "#core/activity/change-many.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

test("chunks shrink until they fit the time, and change everyone once", async () => {
  await context.db.pool.query("create table changed (item integer, chunk xid8 default pg_current_xact_id())");
  const items = Array.from({ length: 120 }, (_, item) => item);
  let started = 0;
  const count = await changeMany(
    context.db,
    undefined,
    [items.slice(0, 100), items.slice(100)],
    async (chunk, some) => {
      started += 1;
      await sql`insert into changed (item) select unnest(${some}::integer[])`.execute(chunk);
      await sql`select pg_sleep(${some.length * 0.01})`.execute(chunk);
      return { count: some.length };
    },
  );
  expect(count).toBe(120);
  const { rows } = await context.db.pool.query(
    "select array_agg(item order by item) as items from changed group by chunk",
  );
  expect(rows.flatMap((chunk) => chunk.items).sort((a, b) => a - b)).toEqual(items);
  const sizes = rows.map((chunk) => chunk.items.length);
  // A chunk of 100 takes a second, so it is rolled back, like one of 50; one of 12 takes too long, but counts.
  expect(Math.max(...sizes)).toBeLessThanOrEqual(25);
  expect(Math.min(...sizes)).toBeLessThanOrEqual(12);
  expect(started).toBeGreaterThan(sizes.length + 1);
});

test("one person's change may take as long as it needs", async () => {
  const change = () =>
    changeMany(context.db, undefined, [[1]], async (chunk) => {
      await sql`select pg_sleep(0.4)`.execute(chunk);
      return { count: 1 };
    });
  expect(await change()).toBe(1);
});
