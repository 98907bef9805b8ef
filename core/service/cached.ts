/**
 * Caches a read for `ttlMs`, so that a thundering herd costs no more reads than one visitor. Stale-if-error: while
 * reads fail, callers get the last good value.
 */
export function cached<Value>(read: () => Promise<Value>, ttlMs: number): () => Promise<Value> {
  let cachedRead: Promise<Value> | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let lastGood: { value: Value } | undefined;

  async function readOrStale(): Promise<Value> {
    try {
      lastGood = { value: await read() };
    } catch (reason) {
      if (!lastGood) throw reason;
    }
    return lastGood.value;
  }

  return () => {
    const now = performance.now();
    if (!cachedRead || now - startedAt >= ttlMs) {
      startedAt = now;
      // A failure is cached as long as a success, so that a database in trouble isn't read more often.
      cachedRead = readOrStale();
    }
    return cachedRead;
  };
}
