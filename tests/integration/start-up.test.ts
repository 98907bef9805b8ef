import { expect, test } from "vitest";
import { post } from "#tests/support/post.ts";
import { runNode } from "#tests/support/run-node.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();

async function set(setting: string): Promise<void> {
  await context.db.pool.query(`alter database ${new URL(context.url).pathname.slice(1)} ${setting}`);
}

test("the server refuses a database that could lose an acknowledged sign-up, unless told so by name", async () => {
  await set("set synchronous_commit = off");
  const { code, stderr } = await runNode("server/main.ts", { DATABASE_URL: context.url, PORT: "0" });
  expect(code).toBe(1);
  expect(stderr).toContain("PostgreSQL could lose an acknowledged sign-up: synchronous_commit not on");

  const server = await startServer({ DATABASE_URL: context.url, ALLOW_DATA_LOSS: "synchronous_commit" });
  expect((await post(server.origin)).status).toBe(201);
  await server.stop();
  await set("reset synchronous_commit");
});
