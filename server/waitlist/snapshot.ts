/** One answer for everyone who asks within the time, so that a crowd costs as many reads as a lone visitor. */
export function snapshot<Value>(read: () => Promise<Value>, holdMs: number): () => Promise<Value> {
  let held: Promise<Value> | undefined;
  let takenAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (!held || now - takenAt >= holdMs) {
      takenAt = now;
      // A failed read is held as long as any other: a database in trouble is not asked more often.
      held = read();
    }
    return held;
  };
}
