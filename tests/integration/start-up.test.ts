import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { post } from "#tests/support/post.ts";
import { runNode } from "#tests/support/run-node.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
// Each test starts at least one process.
vi.setConfig({ testTimeout: 60_000 });

async function alterDatabase(setting: string): Promise<void> {
  await context.db.pool.query(`alter database ${new URL(context.url).pathname.slice(1)} ${setting}`);
}

const startAndFail = (env: Record<string, string>, program = "server/main.ts") =>
  runNode(program, { DATABASE_URL: context.url, PORT: "0", ...env }, [], 30_000);

test("the server refuses to start if PostgreSQL could lose acknowledged sign-ups, unless ALLOW_DATA_LOSS names the setting", async () => {
  await alterDatabase("set synchronous_commit = off");
  const { code, stderr } = await startAndFail({});
  expect(code).toBe(1);
  expect(stderr).toContain("PostgreSQL could lose an acknowledged sign-up: synchronous_commit not on");

  const server = await startServer({ DATABASE_URL: context.url, ALLOW_DATA_LOSS: "synchronous_commit" });
  expect((await post(server.origin)).status).toBe(201);
  await server.stop();
  await alterDatabase("reset synchronous_commit");
});

test.each([
  [{ PORT: "abc" }, 'PORT must be a number from 0 to 65535, got "abc".'],
  [
    { DATABASE_URL: "postgres://127.0.0.1:1/x" },
    "The database can't be reached: connect ECONNREFUSED 127.0.0.1:1. Check DATABASE_URL.",
  ],
  [
    { DATABASE_URL: "postgres://localhost:1/x" },
    /^The database can't be reached: connect ECONNREFUSED \S+:1\. Check DATABASE_URL\.$/,
  ],
])("the server prints a one-line error and no stack trace when it can't start with %j", async (env, sentence) => {
  const { code, stdout, stderr } = await startAndFail(env);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.trimEnd()).toEqual(typeof sentence === "string" ? sentence : expect.stringMatching(sentence));
});

test("the server prints a one-line error when its port is taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  expect(await startAndFail({ PORT: String(port) })).toMatchObject({
    code: 1,
    stderr: `Port ${port} is taken. Stop what listens there, or set another port.\n`,
  });
  taken.close();
});

test("the mail worker prints a one-line error when SMTP_URL is missing", async () => {
  const stderr = "SMTP_URL is required: this program sends mail.\n";
  expect(await startAndFail({}, "worker/main.ts")).toMatchObject({ code: 1, stderr });
});
