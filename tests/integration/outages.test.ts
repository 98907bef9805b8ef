import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect as openSocket, type Socket } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { STATS_PATH } from "#contract/paths.ts";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { readTotals } from "#core/people/totals.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { openWaitlist } from "#core/sign-ups/join.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { post } from "#tests/support/post.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

const context = useTestApp();

/** The shipped settings that keep visitors' data out of the log, and one that logs every statement. */
const LOG_SETTINGS = [
  "log_min_duration_statement=0",
  ...((await readFile("deploy/private-log.conf", "utf8")).match(/^\w.*$/gm) ?? []).map((line) =>
    line.replaceAll(" ", ""),
  ),
];

/** Tests may stop this PostgreSQL, but not `context`'s. */
let postgres: ScratchPostgres;
let log = "";
beforeAll(async () => {
  postgres = await startScratchPostgres({ settings: LOG_SETTINGS });
  postgres.stderr().on("data", (text) => (log += text));
  await migrateDatabase(postgres.url);
});
afterAll(() => postgres.stop());

/** Runs `work` with these settings instead of the shipped ones. */
async function runWith(settings: string[], work: (db: Database) => Promise<unknown>): Promise<void> {
  const options = encodeURIComponent(settings.map((setting) => `-c ${setting}`).join(" "));
  const db = connect(`${postgres.url}?options=${options}`);
  await work(db).finally(() => db.destroy());
}

function signUp(db: Database, email: string, firstName = "Ada") {
  const { join: signUpOnce } = openWaitlist(db, { maxQueueLength: 10, totals: () => readTotals(db.pool) });
  return signUpOnce(aSignUp({ email, firstName }), "a".repeat(32));
}

const logsStatement = (db: Database, email: string) => signUp(db, email);
const dividesByZero = (db: Database, email: string) =>
  expect(db.pool.query("select $1::text, 1 / $2::integer", [email, 0])).rejects.toThrow("division");
const violatesUniqueIndex = async (db: Database, email: string) => {
  await signUp(db, email);
  const values = [email, "Ada", "Lovelace", false];
  const insert =
    "insert into sign_ups (email_key, email, first_name, last_name, newsletter) values ($1, $1, $2, $3, $4)";
  await expect(db.pool.query(insert, values)).rejects.toThrow("duplicate key");
};
const storesBadJson = (db: Database, email: string) =>
  expect(signUp(db, email, "Ada\u0000")).rejects.toThrow("Unicode");
const failsInPsql = (db: Database, email: string) =>
  expect(db.pool.query(`select missing from sign_ups where email = '${email}'`)).rejects.toThrow("missing");

test.each([
  // "terse" also hides parameters, but someone who debugs may turn it off, so the test does too.
  ["a logged statement", "log_parameter_max_length=-1", logsStatement, ["log_error_verbosity=default"]],
  ["a failed statement", "log_parameter_max_length_on_error=-1", dividesByZero, ["log_error_verbosity=default"]],
  ["a violated unique index", "log_error_verbosity=default", violatesUniqueIndex, []],
  ["JSON that can't be stored", "log_error_verbosity=default", storesBadJson, []],
  ["a failed statement's text", "log_min_error_statement=error", failsInPsql, []],
])("PostgreSQL's log has no address from %s, and would have with %s", async (_what, loose, work, others) => {
  const [hidden, shown] = [aSignUp().email, aSignUp().email];
  await runWith(others, (db) => work(db, hidden));
  await runWith([...others, loose], (db) => work(db, shown));
  // The log is in order, so the hidden text would have appeared first.
  await vi.waitFor(() => expect(log).toContain(shown), 5000);
  expect(log).not.toContain(hidden);
});

test("an outage of the database is one log line at its start and one at its end, and farwatch_database_up is 0", async () => {
  const privatePort = await freePort();
  const server = await startServer({
    DATABASE_URL: postgres.url,
    PRIVATE_PORT: String(privatePort),
    DRAIN_MS: "0",
    SECRET: "a secret of at least 32 characters",
    PUBLIC_ORIGIN: "https://farwatch.example",
    // The mail worker runs in the server. Nobody joins, so it sends nothing.
    SMTP_URL: "smtp://127.0.0.1:1",
  });
  onTestFinished(server.stop);
  const isUp = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${privatePort}/metrics`)).text();
    return /^farwatch_database_up (\d)$/m.exec(metrics)?.[1];
  };
  const lines = () => {
    const all = server
      .log()
      .split("\n")
      .map((line) => JSON.parse(line));
    return all.filter(({ level }) => level >= 40);
  };
  const problems = () => lines().map(({ level, msg }) => [level, msg]);
  expect(await isUp()).toBe("1");

  process.kill(postgres.pid(), "SIGINT");
  await expect.poll(isUp, { timeout: 15_000 }).toBe("0");
  for (let time = 0; time < 10; time += 1) {
    const refused = await post(server.origin);
    // One id for the whole outage, so that it leads from any visitor's error to the cause.
    expect([refused.status, await refused.json()]).toMatchObject([503, { requestId: lines()[0].reqId }]);
    expect(lines()[0].reqId).toMatch(/^[0-9a-f-]{36}$/);
    // The server read the stats when it started, although nobody requested them before the outage.
    expect((await fetch(server.origin + STATS_PATH)).status).toBe(200);
  }
  expect(problems()).toEqual([[50, "Database outage: writes are refused until it is over"]]);

  await postgres.restart();
  await expect.poll(isUp, { timeout: 15_000, interval: 500 }).toBe("1");
  expect((await post(server.origin, aSignUp({ website: "bot" }))).status).toBe(201);
  expect(problems().slice(1)).toEqual([[40, "Database outage over"]]);
});

// Without a listener for the client's error event, each error would be uncaught and end the process.
test.each<[string, (work: (query: (text: string) => Promise<unknown>) => Promise<void>) => Promise<void>]>([
  ["transaction", (work) => inTransaction(context.db.pool, (client) => work((text) => client.query(text)))],
  [
    "transaction of Kysely's",
    (work) => context.db.transaction().execute((trx) => work((text) => sql.raw(text).execute(trx))),
  ],
])("a connection that breaks in a %s fails the transaction, not the process", async (_kind, transact) => {
  const { promise: isClosed, resolve } = Promise.withResolvers<void>();
  context.db.pool.once("acquire", (client) => client.once("end", resolve));
  const work = transact(async (query) => {
    await query("set application_name = 'broken'");
    // Terminates the connection while it is in use, like a failover.
    await context.db.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'broken'",
    );
    await isClosed;
    await query("select");
  });
  await expect(work).rejects.toThrow();
});

test("a client that doesn't read its response is disconnected after 30 seconds, and meanwhile uses no database connection", async () => {
  const page = await context.aMember();
  // About 20 MB, more than the kernel buffers.
  await sql`
    insert into consents (sign_up_id, wording_version, given, at)
    select id, ${NEWSLETTER_CONSENT.version}, n % 2 = 1, now() + n * interval '1 microsecond'
    from sign_ups, generate_series(1, 100000) as n`.execute(context.db);
  await sql`analyze consents`.execute(context.db);
  const app = await context.openApp();
  await app.listen();
  // Node closes the connection between one and two timeouts after the last byte.
  expect(app.server.timeout).toBe(15_000);
  const accepted = once(app.server, "connection");

  const socket = openSocket((app.server.address() as AddressInfo).port, "localhost");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  socket.write(`GET ${page}/data HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
  await once(socket, "readable");
  // Not from the start, because a busy machine may take longer than this to send the first byte.
  const [connection] = (await accepted) as [Socket];
  connection.setTimeout(2000);
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  const isIdle = () => context.db.pool.totalCount === context.db.pool.idleCount;
  await expect.poll(async () => isIdle() && (await connections()), { timeout: 45_000 }).toBe(1);
  await expect.poll(connections, { timeout: 45_000 }).toBe(0);
}, 120_000);
