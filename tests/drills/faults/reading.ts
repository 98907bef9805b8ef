import { setTimeout as pause } from "node:timers/promises";
import { STATS_PATH } from "#contract/paths.ts";
import { type Check, MAX_WAIT_MS } from "./drill.ts";

/** Whatever becomes of sign-ups meanwhile, the page and the last good stats are there, and nobody waits for them. */
export async function whileReading(origin: string, check: Check, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const statuses = new Set<number>();
  let slowestMs = 0;
  async function read(path: string): Promise<void> {
    for (; !isOver; await pause(50)) {
      const began = performance.now();
      const answer = await fetch(origin + path);
      await answer.arrayBuffer();
      statuses.add(answer.status);
      slowestMs = Math.max(slowestMs, performance.now() - began);
    }
  }
  // Once before it begins, so that there are good stats to keep.
  await fetch(origin + STATS_PATH);
  const readers = Promise.all([read("/"), read(STATS_PATH)]);
  try {
    await work();
  } finally {
    isOver = true;
    await readers;
  }
  check([...statuses].join() === "200", `page and stats are always there, not ${[...statuses]}`);
  check(slowestMs < MAX_WAIT_MS, `page and stats come within two seconds, not ${Math.round(slowestMs)} ms`);
}
