import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { STATS_PATH } from "#contract/paths.ts";
import { type RunningServer, startServer } from "#dev/running-site.ts";
import { verifyTotals } from "#server/waitlist/totals.ts";
import { post } from "#tests/support/post.ts";
import { releaseAt } from "#tests/support/release.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const MIGRATIONS = "server/database/migrations";

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}

/** The last version that knew nothing of the newest migration: what runs while it is applied. */
function commitBeforeNewestMigration(): string {
  const newest = readdirSync(MIGRATIONS).sort().at(-1) ?? "";
  const addedBy = git("log", "--diff-filter=A", "--format=%H", "--", join(MIGRATIONS, newest));
  // Not committed yet: then it is all that has been.
  if (!addedBy) return "HEAD";
  const hasParent = git("rev-list", "--parents", "--max-count=1", addedBy).includes(" ");
  if (!hasParent) throw new Error("Older versions are needed, and this clone has none. Run: git fetch --unshallow");
  return `${addedBy}^`;
}

async function totalUsers({ origin }: RunningServer): Promise<number> {
  const { data } = await (await fetch(origin + STATS_PATH)).json();
  return data.totalUsers;
}

test("the server before the newest migration takes sign-ups on today's schema, beside today's server", async () => {
  const older = releaseAt(commitBeforeNewestMigration());
  const servers: RunningServer[] = [];
  try {
    for (const folder of [older.folder, "."])
      servers.push(await startServer({ DATABASE_URL: context.url }, [], folder));
    const [before, today] = servers as [RunningServer, RunningServer];
    expect(readdirSync(join(older.folder, MIGRATIONS)).length).toBeLessThan(readdirSync(MIGRATIONS).length);

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
