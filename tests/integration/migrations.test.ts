import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { connect } from "#core/database/connect.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { requireSchema } from "#core/service/require-schema.ts";
import { createDatabase, dropDatabase } from "#tests/support/databases.ts";
import { runNode } from "#tests/support/run-node.ts";

const MAIL = {
  SMTP_URL: "smtp://127.0.0.1:9",
  SECRET: "an example secret of 32 characters",
  PUBLIC_ORIGIN: "https://farwatch.example",
};

let url: string;
beforeAll(async () => {
  url = await createDatabase(inject("templateUrl"));
});
afterAll(() => dropDatabase(url));

test("the server refuses to start on a schema older than its code and names the command to run", async () => {
  const { code, stderr } = await runNode("server/main.ts", { DATABASE_URL: url, PORT: "0" }, [], 30_000);
  expect(code).toBe(1);
  expect(stderr).toBe(
    "The schema is older than this server: 2026-11-first-release missing. Run: npx waitlist migrate\n",
  );
}, 60_000);

test("two migrators started at the same time apply each migration once", async () => {
  const [one, two] = [connect(url), connect(url)];
  const results = await Promise.all([migrateAll(one), migrateAll(two)]);
  expect(results.flatMap(({ applied }) => applied)).toEqual(["2026-11-first-release"]);
  await requireSchema(one, "test");
  await Promise.all([one.destroy(), two.destroy()]);
});

test("waitlist migrate reports that an up-to-date schema has nothing to apply", async () => {
  const { code, stdout } = await runNode("cli/waitlist.ts", { DATABASE_URL: url }, ["migrate"]);
  expect(stdout).toContain("Nothing to apply");
  expect(code).toBe(0);
});

test("a schema that a newer release migrated is fine for this one, and migrate leaves it alone", async () => {
  const db = connect(url);
  await db.pool.query("insert into kysely_migration (name, timestamp) values ('2027-01-newer', '')");
  await requireSchema(db, "server");
  await expect(migrateAll(db)).rejects.toThrow("Can't migrate: the database has migrations that this release");
  await db.pool.query("delete from kysely_migration where name = '2027-01-newer'");
  await db.destroy();
});

test("every program refuses a database that was made by other migrations, in one sentence", async () => {
  const db = connect(url);
  await db.pool.query("insert into kysely_migration (name, timestamp) values ('0001-waitlist', ''), ('0004-mail', '')");
  const reason =
    "the database has migrations that this release doesn't know (0001-waitlist, 0004-mail). Use the release that created it, or an empty database.\n";
  const programs: [string, string[], string][] = [
    ["server/main.ts", [], `This server can't start: ${reason}`],
    ["worker/main.ts", [], `This worker can't start: ${reason}`],
    ["cli/waitlist.ts", ["console"], `This command can't start: ${reason}`],
    ["cli/waitlist.ts", ["migrate"], `Can't migrate: ${reason}`],
  ];
  for (const [program, args, stderr] of programs) {
    expect(await runNode(program, { DATABASE_URL: url, PORT: "0", ...MAIL }, args)).toMatchObject({ stderr });
  }
  await db.destroy();
});
