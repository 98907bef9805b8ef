import { expect, test } from "vitest";
import { startServer } from "#dev/running-site.ts";
import { post } from "#tests/support/post.ts";
import { runNode } from "#tests/support/run-node.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();

async function set(setting: string): Promise<void> {
  await context.db.pool.query(`alter database ${new URL(context.url).pathname.slice(1)} ${setting}`);
}

test("the server refuses a database that could lose an acknowledged sign-up, unless told so by name", async () => {
  await set("set synchronous_commit = off");
  const { code, output } = await runNode("server/main.ts", { DATABASE_URL: context.url, PORT: "0" });
  expect(code).toBe(1);
  expect(output).toContain("PostgreSQL could lose an acknowledged sign-up: synchronous_commit not on");

  const server = await startServer({ DATABASE_URL: context.url, ALLOW_DATA_LOSS: "synchronous_commit" });
  expect((await post(server.origin)).status).toBe(201);
  await server.stop();
  await set("reset synchronous_commit");
});

test("npm run verify says whether the totals are exact", async () => {
  const exact = await runNode("operator/verify.ts", { DATABASE_URL: context.url });
  expect(exact.output).toContain("The totals are exact.");
  expect(exact.code).toBe(0);
  await context.db.updateTable("totals").set({ users: "5" }).where("slot", "=", 0).execute();
  const wrong = await runNode("operator/verify.ts", { DATABASE_URL: context.url });
  expect(wrong.output).toContain("The totals are wrong");
  expect(wrong.code).toBe(1);
});
