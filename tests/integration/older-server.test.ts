import { expect, test } from "vitest";
import { STATS_PATH } from "#contract/paths.ts";
import { verifyTotals } from "#core/waitlist/totals.ts";
import { post } from "#tests/support/post.ts";
import { aVersion1SignUp, releaseAt, VERSION_1 } from "#tests/support/release.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
async function totalUsers({ origin }: RunningServer): Promise<number> {
  const { data } = await (await fetch(origin + STATS_PATH)).json();
  return data.totalUsers;
}

test("version 1.0.0 accepts sign-ups on the current schema, alongside the current server", async () => {
  const oldRelease = releaseAt(VERSION_1);
  const servers: RunningServer[] = [];
  try {
    for (const folder of [oldRelease.folder, "."])
      servers.push(await startServer({ DATABASE_URL: context.url }, [], folder));
    const [old, current] = servers as [RunningServer, RunningServer];

    const ada = aVersion1SignUp({ company: "Acme, Inc.", newsletter: true });
    expect((await post(old.origin, ada)).status).toBe(201);
    expect((await post(current.origin, ada)).status).toBe(409);
    const bob = aVersion1SignUp({ company: "Acme" });
    expect((await post(current.origin, bob)).status).toBe(201);
    expect((await post(old.origin, bob)).status).toBe(409);

    for (const server of servers) await expect.poll(() => totalUsers(server), { timeout: 3000 }).toBe(2);
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 2 } });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    oldRelease.remove();
  }
}, 60_000);
