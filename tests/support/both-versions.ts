import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";
import { cloneDatabase, createDatabase, dropDatabase } from "./databases.ts";
import { exchange } from "./exchange.ts";
import { type Release, releaseAt, VERSION_1 } from "./release.ts";

export const SECRET = "the same secret for both of them";

export interface Version {
  server: RunningServer;
  limited: RunningServer;
  db: Database;
  url: string;
}

export interface Difference {
  why: string;
  is: (before: string, after: string) => boolean;
}

/** For a whole test file: version 1.0.0 and the current one, each with its own database and schema. */
export function useBothVersions(intended: Difference[]) {
  let release: Release;
  const seen = new Set<Difference>();
  const versions = {} as { before: Version; after: Version };

  beforeAll(async () => {
    release = releaseAt(VERSION_1);
    const url = await createDatabase(inject("templateUrl"));
    const migrate = [join(release.folder, "operator/waitlist.ts"), "migrate"];
    execFileSync(process.execPath, migrate, { env: { ...process.env, DATABASE_URL: url } });
    versions.before = await start(url, release.folder);
    versions.after = await start(await cloneDatabase(inject("templateUrl")));
  }, 60_000);

  afterAll(async () => {
    for (const { server, limited, db, url } of [versions.before, versions.after]) {
      await Promise.all([server.stop(), limited.stop()]);
      await db.destroy();
      await dropDatabase(url);
    }
    release.remove();
  }, 30_000);

  return Object.assign(versions, {
    /** Sends the same bytes to both versions and compares everything except timestamps and totals. */
    async compare(wire: string, at: "server" | "limited" = "server"): Promise<string> {
      const [expected = "", actual = ""] = await Promise.all(
        [versions.before, versions.after].map(async (version) => comparable(await exchange(version[at].origin, wire))),
      );
      const difference = intended.find(({ is }) => expected !== actual && is(expected, actual));
      if (difference) seen.add(difference);
      else expect(actual, wire.slice(0, 1000)).toBe(expected);
      return actual;
    },
    /** Intended differences that no response has shown so far. */
    unseen: () => intended.filter((difference) => !seen.has(difference)).map(({ why }) => why),
  });
}

async function start(url: string, folder?: string): Promise<Version> {
  const settings = { DATABASE_URL: url, SECRET, PUBLIC_ORIGIN: "https://farwatch.test" };
  const unlimited = { LIMIT_PER_CLIENT: "1000000", LIMIT_PER_ADDRESS: "1000000" };
  return {
    server: await startServer({ ...settings, ...unlimited }, [], folder),
    limited: await startServer({ ...settings, LIMIT_PER_CLIENT: "1" }, [], folder),
    db: connect(url),
    url,
  };
}

/**
 * A honeypot's 201 carries totals that are up to a second old; a later test compares them, once both have caught up.
 */
function comparable(response: string): string {
  return response
    .replace(/^content-length: \d+\r\n([\s\S]*"data":\{)"totalUsers":\d+,"companiesInterested":\d+/im, "$1…")
    .replace(/^date: .*$/im, "date: …")
    .replace(/^(retry-after): \d+\r$/im, (line, name) => (/: [15]\r$/.test(line) ? line : `${name}: …\r`))
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…");
}
