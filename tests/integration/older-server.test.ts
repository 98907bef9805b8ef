import { expect, test } from "vitest";
import { STATS_PATH } from "#contract/paths.ts";
import { verifyTotals } from "#core/waitlist/totals.ts";
import { post } from "#tests/support/post.ts";
import { releaseAt, VERSION_1 } from "#tests/support/release.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
async function totalUsers({ origin }: RunningServer): Promise<number> {
  const { data } = await (await fetch(origin + STATS_PATH)).json();
  return data.totalUsers;
}

test("version 1.0.0 takes sign-ups on today's schema, beside today's server", async () => {
  const older = releaseAt(VERSION_1);
  const servers: RunningServer[] = [];
  try {
    for (const folder of [older.folder, "."])
      servers.push(await startServer({ DATABASE_URL: context.url }, [], folder));
    const [before, today] = servers as [RunningServer, RunningServer];

    const person = aSignUp({ company: "Acme, Inc.", newsletter: true });
    expect((await post(before.origin, person)).status).toBe(201);
    expect((await post(today.origin, person)).status).toBe(409);
    const another = aSignUp({ company: "Acme" });
    expect((await post(today.origin, another)).status).toBe(201);
    expect((await post(before.origin, another)).status).toBe(409);

    for (const server of servers) await expect.poll(() => totalUsers(server), { timeout: 3000 }).toBe(2);
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 2 } });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    older.remove();
  }
}, 60_000);
