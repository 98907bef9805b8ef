import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connect } from "#core/database/connect.ts";
import { createLogger } from "#core/service/log.ts";
import { waitForDatabase } from "#core/service/wait-for-database.ts";
import { post } from "#tests/support/post.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { runNode } from "#tests/support/run-node.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { type Postgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "farwatch-managed-"));
  // PostgreSQL and PgBouncer refuse to run as root, so another user must be able to read the folder.
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

describe("a PostgreSQL that takes only TLS, with a certificate of a private CA", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    const inFolder = { cwd: folder, stdio: "ignore" } as const;
    const newKey = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    execFileSync("openssl", [...newKey, "-x509", "-subj", "/CN=CA", "-keyout", "ca.key", "-out", "ca.pem"], inFolder);
    execFileSync("openssl", [...newKey, "-subj", "/CN=db", "-keyout", "db.key", "-out", "db.csr"], inFolder);
    await writeFile(join(folder, "names"), "subjectAltName=DNS:localhost");
    const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"];
    execFileSync("openssl", ["x509", "-req", "-in", "db.csr", "-out", "db.pem", ...by], inFolder);
    // PostgreSQL wants a key that nobody else can read.
    if (process.getuid?.() === 0) execFileSync("chown", ["65534", "db.key"], inFolder);
    await writeFile(join(folder, "hba"), "hostssl all all all scram-sha-256\n");
    const files = { ssl_cert_file: "db.pem", ssl_key_file: "db.key", hba_file: "hba" };
    const settings = Object.entries(files).map(([name, file]) => `${name}=${join(folder, file)}`);
    postgres = await startScratchPostgres({ settings: ["ssl=on", ...settings] });
  });
  afterAll(() => postgres?.stop());

  const url = (parameters: string, host = "localhost") =>
    `${postgres.url.replace("127.0.0.1", host)}?${parameters.replace("CA", join(folder, "ca.pem"))}`;

  test("is migrated and takes a sign-up with sslmode=verify-full and sslrootcert", async () => {
    const env = { DATABASE_URL: url("sslmode=verify-full&sslrootcert=CA") };
    expect(await runCommand(env, ["migrate"])).toMatchObject({ code: 0 });
    const server = await startServer(env);
    onTestFinished(server.stop);
    expect((await post(server.origin)).status).toBe(201);
  });

  const UNVERIFIED =
    /^The database's certificate can't be verified: .+\. In DATABASE_URL, set sslmode=verify-full, sslrootcert=<the CA's file>, and the certificate's host name\.\n$/;
  test.each([
    ["without its CA", "sslmode=verify-full", "localhost", UNVERIFIED],
    ["by another host name", "sslmode=verify-full&sslrootcert=CA", "127.0.0.1", UNVERIFIED],
    ["with another mode", "sslmode=require", "localhost", /^DATABASE_URL must have sslmode=verify-full, and .+\.\n$/],
    ["without TLS", "", "localhost", /^The database refused the .+, no encryption\. Check DATABASE_URL\.\n$/],
  ])("%s, a program says in one sentence what to do", async (_how, parameters, host, sentence) => {
    const { stderr } = await runCommand({ DATABASE_URL: url(parameters, host) }, ["migrate"]);
    expect(stderr).toMatch(sentence);
  });

  test("a server that can't verify the certificate doesn't wait for the database", async () => {
    const db = connect(url("sslmode=verify-full&sslrootcert=CA", "127.0.0.1"));
    onTestFinished(() => db.destroy());
    await expect(waitForDatabase(db, createLogger("silent"))).rejects.toThrow("does not match certificate");
  });
});

const context = useTestDatabase();

test("a server that a failover has left on a read-only standby reconnects until it reaches the primary", async () => {
  const operator = await context.db.pool.connect();
  onTestFinished(() => operator.release());
  // Affects only new sessions, like a host name that now points to another machine.
  const leadTo = (machine: "standby" | "primary") =>
    operator.query(`alter database ${operator.database} set default_transaction_read_only = ${machine === "standby"}`);
  await leadTo("standby");
  const db = connect(context.url, { timeoutMs: 5000 });
  onTestFinished(() => db.destroy());
  const write = () => db.breaker.write(() => db.pool.query("delete from quarantine")).then(() => "written", String);
  expect(await write()).toContain("read-only transaction");
  // Waits for the probe's session.
  await once(db.pool, "connect");
  await leadTo("primary");
  await expect.poll(write, { timeout: 10_000 }).toBe("written");
});

// A developer's machine may not have PgBouncer; CI always does.
describe.skipIf(spawnSync("pgbouncer", ["--version"]).status !== 0)("PgBouncer", () => {
  async function startPgBouncer(settings: string[]): Promise<string> {
    const { hostname, port, password, pathname } = new URL(context.url);
    const target = `host=${hostname} port=${port} user=postgres password=${password}`;
    const ownPort = await freePort();
    const own = [`listen_port=${ownPort}`, "listen_addr=127.0.0.1", "unix_socket_dir=", "auth_type=any", ...settings];
    const file = join(folder, `${ownPort}.ini`);
    await writeFile(file, ["[databases]", `* = ${target}`, "[pgbouncer]", ...own].join("\n"));
    const pgbouncer = spawn("pgbouncer", [...(process.getuid?.() === 0 ? ["-u", "nobody"] : []), file]);
    onTestFinished(() => void pgbouncer.kill("SIGKILL"));
    for await (const line of createInterface(pgbouncer.stderr)) if (line.includes("process up")) break;
    return `postgres://anyone@127.0.0.1:${ownPort}${pathname}`;
  }

  const IGNORED = "ignore_startup_parameters=statement_timeout,idle_in_transaction_session_timeout";
  const SENTENCE =
    "DATABASE_URL leads through a pooler such as PgBouncer, which loses our timeouts and, in transaction mode, mixes up sessions. Connect to PostgreSQL directly: each program has its own pool.\n";
  test.each([
    ["in transaction mode, which refuses our timeouts", ["pool_mode=transaction"]],
    ["in session mode, which loses our timeouts too", ["pool_mode=session", IGNORED]],
  ])("%s, is refused in one sentence", async (_mode, settings) => {
    const DATABASE_URL = await startPgBouncer(settings);
    expect(await runCommand({ DATABASE_URL }, ["status"])).toEqual({ code: 3, stdout: "", stderr: SENTENCE });
  });

  test("in transaction mode that loses our timeouts, a server exits at once with one sentence", async () => {
    const DATABASE_URL = await startPgBouncer(["pool_mode=transaction", IGNORED]);
    // No line says that the server waits for the database.
    const refusal = { code: 1, stdout: "", stderr: SENTENCE };
    expect(await runNode("server/main.ts", { DATABASE_URL, PORT: "0" }, [], 25_000)).toEqual(refusal);
  });
});
