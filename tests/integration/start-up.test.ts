import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { createLogger } from "#core/service/log.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { requireSchema } from "#core/service/require-schema.ts";
import { waitForDatabase } from "#core/service/wait-for-database.ts";
import { createDatabase, dropDatabase } from "#tests/support/databases.ts";
import { startFaultyProxy, throughProxy } from "#tests/support/faulty-proxy.ts";
import { post } from "#tests/support/post.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { runNode } from "#tests/support/run-node.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
const MIGRATIONS = "0001-first-release";

/** Runs a program that should exit by itself. */
const start = (env: Record<string, string>, program = "server") =>
  runNode(`${program}/main.ts`, { DATABASE_URL: context.url, PORT: "0", ...env }, [], 30_000);

test("the server refuses to start if PostgreSQL could lose acknowledged sign-ups, unless ALLOW_DATA_LOSS names the setting", async () => {
  const database = new URL(context.url).pathname.slice(1);
  await context.db.pool.query(`alter database ${database} set synchronous_commit = off`);
  onTestFinished(async () => {
    await context.db.pool.query(`alter database ${database} reset synchronous_commit`);
  });
  const { code, stderr } = await start({});
  expect(code).toBe(1);
  expect(stderr).toContain("PostgreSQL could lose an acknowledged sign-up: synchronous_commit not on");

  const server = await startServer({ DATABASE_URL: context.url, ALLOW_DATA_LOSS: "synchronous_commit" });
  onTestFinished(server.stop);
  expect((await post(server.origin)).status).toBe(201);
});

test.each<[string, string, Record<string, string>, RegExp]>([
  ["server", "a bad setting", { PORT: "abc" }, /^PORT must be a number from 0 to 65535, got "abc"\.$/],
  [
    "server",
    "a missing database",
    { DATABASE_URL: new URL("/missing", inject("templateUrl")).href },
    /^The database refused the connection: database "missing" does not exist\. Check DATABASE_URL\.$/,
  ],
  [
    "server",
    "the port of PostgreSQL",
    { PORT: new URL(inject("templateUrl")).port },
    /^Port \d+ is already in use\. Stop the other process, or set another port\.$/,
  ],
  ["worker", "no mail server", {}, /^SMTP_URL is required: this program sends mail\.$/],
])("the %s with %s prints a one-line error and no stack trace", async (program, _what, env, sentence) => {
  const { code, stdout, stderr } = await start(env, program);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.trimEnd()).toMatch(sentence);
});

test("a server that starts before its database waits for it and says so, but not forever", async () => {
  // Drops the first connection, and sends later ones to the database.
  const down = createServer((connection) => {
    connection.destroy();
    proxy.target = Number(new URL(context.url).port);
  });
  await once(down.listen(0, "127.0.0.1"), "listening");
  const proxy = await startFaultyProxy((down.address() as AddressInfo).port);
  onTestFinished(async () => {
    down.close();
    await proxy.stop();
  });
  const starting = startServer({ DATABASE_URL: throughProxy(proxy, context.url) });
  await expect(starting).resolves.toHaveProperty("origin");
  const server = await starting;
  onTestFinished(server.stop);
  expect(server.log().match(/Waiting for the database: Connection terminated/g)).toHaveLength(1);
  expect((await post(server.origin)).status).toBe(201);

  const nowhere = connect("postgres://127.0.0.1:1/x");
  onTestFinished(() => nowhere.destroy());
  await expect(waitForDatabase(nowhere, createLogger("silent"), 600)).rejects.toThrow("ECONNREFUSED");
});

test("a program that is told to stop while it waits for its database stops at once", async () => {
  const server = spawn(process.execPath, ["server/main.ts"], {
    env: { ...process.env, DATABASE_URL: "postgres://127.0.0.1:1/x", PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  await once(server.stdout, "data");
  server.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
});

describe("migrations", () => {
  let url: string;
  let db: Database;
  beforeAll(async () => {
    url = await createDatabase(inject("templateUrl"));
    db = connect(url);
  });
  afterAll(async () => {
    await db.destroy();
    await dropDatabase(url);
  });

  test("the server refuses to start on a schema older than its code and names the command to run", async () => {
    expect(await start({ DATABASE_URL: url })).toMatchObject({
      code: 1,
      stderr: `The schema is older than this server: ${MIGRATIONS} missing. Run: npx waitlist migrate\n`,
    });
  });

  test("two migrators started at the same time apply each migration once, and a third applies nothing", async () => {
    const other = connect(url);
    const results = await Promise.all([migrateAll(db), migrateAll(other)]);
    await other.destroy();
    expect(results.flatMap(({ applied }) => applied).toSorted()).toEqual(MIGRATIONS.split(", "));
    await requireSchema(db, "test");
    const stdout = expect.stringContaining("Nothing to apply");
    expect(await runCommand({ DATABASE_URL: url }, ["migrate"])).toMatchObject({ code: 0, stdout });
  });

  test("a schema that a newer release migrated is fine for this one, and migrate leaves it alone", async () => {
    await db.pool.query("insert into kysely_migration (name, timestamp) values ('0999-newer', '')");
    await requireSchema(db, "server");
    await expect(migrateAll(db)).rejects.toThrow("Can't migrate: the database has migrations that this release");
    await db.pool.query("delete from kysely_migration where name = '0999-newer'");
  });

  test("every program refuses a database that was made by other migrations, in one sentence", async () => {
    await db.pool.query(
      "insert into kysely_migration (name, timestamp) values ('0000-waitlist', ''), ('0000-mail', '')",
    );
    const reason =
      "the database has migrations that this release doesn't know (0000-mail, 0000-waitlist). Use the release that created it, or an empty database.\n";
    const mail = { SMTP_URL: "smtp://127.0.0.1:9", SECRET: crypto.randomUUID(), PUBLIC_ORIGIN: "https://x.test" };
    const env = { DATABASE_URL: url, ...mail };
    for (const program of ["server", "worker"])
      expect(await start(env, program)).toMatchObject({ stderr: `This ${program} can't start: ${reason}` });
    expect(await runCommand(env, ["console"])).toMatchObject({ stderr: `This command can't start: ${reason}` });
    expect(await runCommand(env, ["migrate"])).toMatchObject({ stderr: `Can't migrate: ${reason}` });
  });
});
