import { setTimeout as pause } from "node:timers/promises";
import { STATS_PATH } from "#contract/paths.ts";
import { type Check, MAX_LATENCY_MS } from "./drill.ts";

/** Checks that the page and the last good stats are served, and quickly, while sign-ups may be failing. */
export async function checkReadsDuring(origin: string, check: Check, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const statuses = new Set<number>();
  let slowestMs = 0;
  async function read(path: string): Promise<void> {
    for (; !isOver; await pause(50)) {
      const startedAt = performance.now();
      const response = await fetch(origin + path);
      await response.arrayBuffer();
      statuses.add(response.status);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
  }
  // Caches good stats before the fault.
  await fetch(origin + STATS_PATH);
  const readers = Promise.all([read("/"), read(STATS_PATH)]);
  try {
    await work();
  } finally {
    isOver = true;
    await readers;
  }
  check([...statuses].join() === "200", `page or stats failed: statuses ${[...statuses]}`);
  check(
    slowestMs < MAX_LATENCY_MS,
    `page or stats took ${Math.round(slowestMs)} ms, the limit is ${MAX_LATENCY_MS} ms`,
  );
}
