import { expect, test } from "vitest";
import { exportFile } from "#core/waitlist/export-file.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { fill } from "#tests/support/fill.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const database = useTestDatabase();
/** More than the buffers between PostgreSQL and the reader hold. */
const PEOPLE = 100_000;

async function copiesRunning(): Promise<number> {
  const { rowCount } = await database.db.pool.query(
    "select from pg_stat_activity where datname = current_database() and state = 'active' and query like 'copy %'",
  );
  return rowCount ?? 0;
}

test("an export that nobody reads waits, and one that is closed ends its query", async () => {
  await fill(database.db, PEOPLE);
  let people = 0;
  const file = exportFile(database.db, OPERATOR, { filter: {}, format: "csv" }, (rows) => {
    people += rows;
  });
  for (let chunk = 0; chunk < 3; chunk += 1) await file.next();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await copiesRunning()).toBe(1);
  expect(people).toBeGreaterThan(0);
  expect(people).toBeLessThan(PEOPLE / 10);

  await file.return(undefined);
  await expect.poll(copiesRunning).toBe(0);
});

test("an export whose connection breaks fails instead of ending early", async () => {
  const file = exportFile(database.db, OPERATOR, { filter: {}, format: "jsonl" }, () => {});
  await file.next();
  await database.db.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy %'",
  );
  await expect(Array.fromAsync(file)).rejects.toThrow();
});
