import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import type { Database } from "#core/database/connect.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { type Join, openWaitlist } from "#core/sign-ups/join.ts";
import { readTotals } from "#core/sign-ups/totals.ts";
import { emptyWaitlist } from "./empty-waitlist.ts";
import { type ExitedProcess, runNode } from "./run-node.ts";
import { useTestDatabase } from "./test-database.ts";

export interface Operator {
  db: Database;
  url: string;
  /** For files that commands write. */
  folder: string;
  join: Join;
}

export const SECRET = "an operator's secret of 32 letters";
export const ORIGIN = "https://farwatch.example";

let operator: Operator;

/** One database for a test file; the list is empty before each test. */
export function useOperator(): Operator {
  // Every command starts a process.
  vi.setConfig({ testTimeout: 60_000 });
  operator = useTestDatabase() as Operator;
  beforeAll(async () => {
    const { db } = operator;
    operator.join = openWaitlist(db, { maxQueueLength: 100_000, totals: () => readTotals(db.pool) }).join;
    await recordConsentWording(db);
    operator.folder = await mkdtemp(joinPath(tmpdir(), "farwatch-operator-"));
  });
  afterAll(() => rm(operator.folder, { recursive: true }));
  beforeEach(() => emptyWaitlist(operator.db));
  return operator;
}

/** Runs `npx waitlist` to its end. */
export function waitlist(...args: string[]): Promise<ExitedProcess> {
  return runNode("cli/waitlist.ts", { DATABASE_URL: operator.url, SECRET, PUBLIC_ORIGIN: ORIGIN }, args);
}

export async function waitlistJson(...args: string[]) {
  const { stdout } = await waitlist(...args, "--json");
  return JSON.parse(stdout);
}
