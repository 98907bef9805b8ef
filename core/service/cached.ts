/**
 * Caches a read for `ttlMs`, so that a thundering herd costs no more reads than one visitor. Stale-if-error: while
 * reads fail, callers get the last good value.
 */
export function cached<Value>(read: () => Promise<Value>, ttlMs: number): () => Promise<Value> {
  let current: Promise<Value> | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (!current || now - startedAt >= ttlMs) {
      startedAt = now;
      const last = current;
      // A failure is cached as long as a success, so that a database in trouble isn't read more often.
      current = read().catch((reason) => last ?? Promise.reject(reason));
    }
    return current;
  };
}
