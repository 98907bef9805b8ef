import type { Ledger } from "#tests/drills/faults/clients.ts";

export interface WriteGap {
  /** The longest time between two acknowledged sign-ups, in milliseconds. */
  stop(): number;
}

const INTERVAL_MS = 10;

export function watchWriteGap({ acknowledged }: Pick<Ledger, "acknowledged">): WriteGap {
  let count = acknowledged.size;
  let lastAt = performance.now();
  let longest = 0;
  function look(): void {
    const now = performance.now();
    longest = Math.max(longest, now - lastAt);
    if (acknowledged.size === count) return;
    count = acknowledged.size;
    lastAt = now;
  }
  const timer = setInterval(look, INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return Math.round(longest);
    },
  };
}

/** Waits until sign-ups are acknowledged for half a second: one that was in flight doesn't count. */
export async function untilWritesAreBack({ acknowledged }: Ledger, maxMs = 120_000): Promise<void> {
  const startedAt = performance.now();
  for (let successes = 0; successes < 5; ) {
    const before = acknowledged.size;
    await new Promise((resolve) => setTimeout(resolve, 100));
    successes = acknowledged.size > before ? successes + 1 : 0;
    if (performance.now() - startedAt > maxMs) throw new Error(`No sign-up was acknowledged for ${maxMs / 1000} s`);
  }
}
