import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "#core/database/connect.ts";
import { isUnavailable } from "#core/database/faults.ts";
import type { Service } from "#core/service.ts";
import { rollUp } from "./roll-up.ts";

const INTERVAL_MS = 60_000;
/** Share of time spent rolling up, so that sign-ups don't slow down after a launch. */
const MAX_LOAD = 0.05;

/** Rolls up every minute until stopped. Every server does; one at a time does the work. */
export function rollUpPeriodically(
  db: Database,
  onError: (reason: unknown) => void,
  intervalMs = INTERVAL_MS,
): Service {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await pause(intervalMs, undefined, { signal, ref: false });
        await catchUp(db, signal);
      } catch (reason) {
        // Not reported to the circuit breaker: a slow roll-up is no reason to refuse sign-ups.
        if (!signal.aborted && !isUnavailable(reason)) onError(reason);
      }
    }
  }
  const stopped = run();
  return {
    async stop() {
      stopping.abort();
      await stopped;
    },
  };
}

async function catchUp(db: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    if ((await rollUp(db)) !== "behind") return;
    await pause((performance.now() - startedAt) * (1 / MAX_LOAD - 1), undefined, { signal, ref: false });
  }
}
