/**
 * `npm run drill -- upgrade [commit]`: from the last release (or that commit) to this version, back and forward again,
 * server by server, while people sign up. Skipped until there is a release.
 */
import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { countUnexpected } from "#tests/drills/faults/clients.ts";
import { hasPassed, runScenario } from "#tests/drills/faults/drill.ts";
import { loadPagesDuring } from "#tests/drills/faults/page-loads.ts";
import { migrateWith, releaseAt } from "#tests/support/release.ts";
import { saveResults } from "#tests/support/results.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

const [lastRelease] = execFileSync("git", ["tag", "--list", "v*", "--sort=-version:refname"], { encoding: "utf8" })
  .split("\n")
  .filter(Boolean);
const base = process.argv[2] ?? lastRelease;
if (base) await upgradeFrom(base);
else console.log("Skipped: there is no release to upgrade from.");

async function upgradeFrom(commit: string): Promise<void> {
  const old = releaseAt(commit);
  const here = { folder: process.cwd(), remove() {} };
  try {
    const outcome = await runScenario(
      {
        postgres: startScratchPostgres,
        isBalanced: true,
        release: old.folder,
        prepare: async (url) => migrateWith(old, { DATABASE_URL: url }),
        clients: { count: 16, perSecond: 25 },
      },
      async ({ origin, servers, postgres, clients, replace }, check) => {
        const failures = await loadPagesDuring(origin, async () => {
          await pause(3000);
          migrateWith(here, { DATABASE_URL: postgres.url });
          for (const folder of [here.folder, old.folder, here.folder]) {
            // The release that is about to be replaced, on the schema of the newer one.
            await pause(3000);
            for (const index of servers.keys()) {
              await replace(index, folder);
              // Long enough for HAProxy's health check to see it.
              await pause(1000);
            }
          }
          await pause(3000);
        });
        await clients.stop();
        const failed = countUnexpected(clients.ledger, [201]);
        check(failed === 0, `${failed} sign-ups failed: ${JSON.stringify([...clients.ledger.statuses])}`);
        check(failures.length === 0, `${failures.length} requests for the page failed: ${failures[0]}`);
      },
    );
    console.log({ from: commit, ...outcome });
    await saveResults("upgrade", { from: commit, ...outcome, passed: hasPassed(outcome) });
    process.exitCode = hasPassed(outcome) ? 0 : 1;
  } finally {
    old.remove();
  }
}
