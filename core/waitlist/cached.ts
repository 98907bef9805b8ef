/**
 * One answer for everyone who asks within the time, so that a crowd costs as many reads as a lone visitor. When a read
 * fails, the last that didn't is still the best there is.
 */
export function cached<Value>(read: () => Promise<Value>, holdMs: number): () => Promise<Value> {
  let held: Promise<Value> | undefined;
  let takenAt = Number.NEGATIVE_INFINITY;
  let lastGood: { value: Value } | undefined;

  async function readOrRemember(): Promise<Value> {
    try {
      lastGood = { value: await read() };
    } catch (reason) {
      if (!lastGood) throw reason;
    }
    return lastGood.value;
  }

  return () => {
    const now = performance.now();
    if (!held || now - takenAt >= holdMs) {
      takenAt = now;
      // A failed read is held as long as any other: a database in trouble is not asked more often.
      held = readOrRemember();
    }
    return held;
  };
}
