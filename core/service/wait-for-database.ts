import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { messageOf } from "#core/config/startup-error.ts";
import type { Database } from "#core/database/connect.ts";
import { faultOf } from "#core/database/faults.ts";

const MAX_WAIT_MS = 30_000;
const LOG_EVERY_MS = 5000;
const RETRY_MS = 500;

/**
 * Waits, because a database in a container or in the cloud often starts after the programs that use it. Throws at once
 * if the database is up but refuses us, and otherwise after `maxWaitMs`.
 */
export async function waitForDatabase(db: Database, log: Logger, maxWaitMs = MAX_WAIT_MS): Promise<void> {
  const startedAt = performance.now();
  for (let nextLogAt = startedAt; ; ) {
    try {
      await db.pool.query("select");
      return;
    } catch (reason) {
      const now = performance.now();
      if (faultOf(reason) !== "unreachable" || now - startedAt > maxWaitMs) throw reason;
      if (now >= nextLogAt) {
        log.warn(`Waiting for the database: ${messageOf(reason as Error)}`);
        nextLogAt += LOG_EVERY_MS;
      }
      await pause(RETRY_MS);
    }
  }
}
