import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_CONNECTIONS, MAX_MEMBER_CONNECTIONS } from "#core/database/connect.ts";
import { MAX_JOB_CONNECTIONS } from "#worker/start.ts";

/** PostgreSQL's default for max_connections, which Debian keeps. */
const POSTGRES_CONNECTIONS = 100;

test("the connection limit in docs/operations.md covers two servers and a mail worker, and leaves half to operators", () => {
  const limit = Number(
    /createuser --connection-limit=(\d+) farwatch_serve/.exec(readFileSync("docs/operations.md", "utf8"))?.[1],
  );
  expect(limit).toBeGreaterThan(3 * MAX_CONNECTIONS + 2 * MAX_MEMBER_CONNECTIONS + MAX_JOB_CONNECTIONS);
  expect(limit).toBeLessThanOrEqual(POSTGRES_CONNECTIONS / 2);
  expect(readFileSync("deploy/postgres/create-roles.sh", "utf8")).toContain(`connection limit ${limit};`);
});
