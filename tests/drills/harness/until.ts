import { setTimeout as pause } from "node:timers/promises";

/** Polls until find() returns something, and returns it. */
export async function until<Found>(
  what: string,
  find: () => Found | Promise<Found>,
  maxMs = 120_000,
): Promise<NonNullable<Found>> {
  for (const startedAt = performance.now(); performance.now() - startedAt < maxMs; await pause(50)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error(`Not within ${maxMs / 1000} s: ${what}`);
}
