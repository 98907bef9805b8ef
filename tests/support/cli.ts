import { beforeAll } from "vitest";
import type { Database } from "#core/database/connect.ts";
import { readTotals } from "#core/people/totals.ts";
import { type Join, openWaitlist } from "#core/sign-ups/join.ts";
import { useFolder } from "./folder.ts";
import { runCommand } from "./run-command.ts";
import type { ExitedProcess } from "./run-node.ts";
import { useEmptyList } from "./test-database.ts";

export interface Operator {
  db: Database;
  url: string;
  /** For files that commands read and write. */
  folder: string;
  aFile(name: string, content: string | Buffer): string;
  join: Join;
}

export const SECRET = "an operator's secret of 32 letters";
export const ORIGIN = "https://farwatch.example";

let operator: Operator;

/** One database for a test file; the list is empty before each test. */
export function useOperator(): Operator {
  operator = Object.assign(useEmptyList(), useFolder(), {} as { join: Join });
  beforeAll(async () => {
    const { db } = operator;
    operator.join = openWaitlist(db, { maxQueueLength: 100_000, totals: () => readTotals(db.pool) }).join;
  });
  return operator;
}

/** Runs `npx waitlist` until it exits. Calls must not overlap. */
export function waitlist(...args: string[]): Promise<ExitedProcess> {
  return waitlistWith({ SECRET, PUBLIC_ORIGIN: ORIGIN }, ...args);
}

/** Like waitlist(), with other settings. */
export function waitlistWith(settings: Record<string, string>, ...args: string[]): Promise<ExitedProcess> {
  return runCommand({ DATABASE_URL: operator.url, ...settings }, args);
}

export async function waitlistJson(...args: string[]) {
  const { stdout } = await waitlist(...args, "--json");
  return JSON.parse(stdout);
}
