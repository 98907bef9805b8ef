import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "#core/database/connect.ts";
import { exportFile, type Format } from "#core/people/export-file.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { addMany } from "#tests/support/people.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const database = useEmptyList();
/** Thirty chunks. */
const PEOPLE = 30_000;

async function exportsRunning(forMs = 0): Promise<number> {
  const { rowCount } = await database.db.pool.query(
    `select from pg_stat_activity where datname = current_database() and query like 'fetch %'
      and state_change < clock_timestamp() - make_interval(secs => $1::float / 1000)`,
    [forMs],
  );
  return rowCount ?? 0;
}

test("an export has what is stored, whatever it contains, and its times in UTC", async () => {
  // The contract rejects some of these; an older version or an import may have stored them all the same.
  const texts = [
    'quotes " and, commas',
    "line\nbreak\r\nand\ttab",
    "\\N",
    "NULL",
    "",
    "\u202e \u2028 \u001b 😀 e\u0301",
  ];
  for (const [index, value] of texts.entries()) {
    await sql`
      insert into sign_ups (email_key, email, first_name, last_name, company, newsletter, utm, joined_at)
      values (${`${index}@example.com`}, ${value}, ${value}, ${value}, ${value}, false,
        ${JSON.stringify({ term: value })}, '2026-12-31 23:59:59.999999+05:30')`.execute(database.db);
  }
  const exported = (format: Format) => text(exportFile(database.db, OPERATOR, { filter: {}, format }, () => {}));
  const lines = (await exported("jsonl")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    texts.map((value) => ({ email: value, company: value, utmTerm: value, joinedAt: "2026-12-31T18:29:59.999Z" })),
  );
  const rows = texts.map((value) => {
    const cell = `"${value.replaceAll('"', '""')}"`;
    return `${cell},${cell},${cell},${cell},,,,${cell},,false,2026-12-31 18:29:59,,,,\n`;
  });
  expect((await exported("csv")).split("\n").slice(1).join("\n")).toBe(rows.join(""));
});

test("an export waits for its reader, and one that is closed ends its query", async () => {
  await addMany(database.db, PEOPLE);
  const impatient = connect(`${database.url}?idle_in_transaction_session_timeout=200`);
  onTestFinished(() => impatient.destroy());
  let people = 0;
  const file = exportFile(impatient, OPERATOR, { filter: {}, format: "csv" }, (rows) => {
    people += rows;
  });
  for (let chunk = 0; chunk < 3; chunk += 1) await file.next();
  await expect.poll(() => exportsRunning(400), { timeout: 5000 }).toBe(1);
  expect(people).toBeGreaterThan(0);
  expect(people).toBeLessThan(PEOPLE / 3);
  // The first of these was read before the pause.
  for (let chunk = 0; chunk < 2; chunk += 1) expect((await file.next()).done).toBe(false);

  await file.return(undefined);
  await expect.poll(() => exportsRunning()).toBe(0);
});

test("an export whose connection breaks fails instead of ending early", async () => {
  await addMany(database.db, PEOPLE);
  const file = exportFile(database.db, OPERATOR, { filter: {}, format: "jsonl" }, () => {});
  await file.next();
  await database.db.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'fetch %'",
  );
  await expect(Array.fromAsync(file)).rejects.toThrow();
});
