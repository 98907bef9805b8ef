export interface Count {
  isExceeded: boolean;
  retryAfterSeconds: number;
}

/** About 10 MB; past that the least recently used key is dropped and starts from zero. */
const MAX_TRACKED_KEYS = 20_000;

/**
 * Counts requests by key in fixed windows, each of which starts with its key's first request. As @fastify/rate-limit
 * does in memory, without the promises that it makes for stores on the network: those took longer than the count.
 */
export function createWindowCounter({ max, windowMs }: { max: number; windowMs: number }, now = Date.now) {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return (key: string): Count => {
    const time = now();
    const last = windows.get(key);
    const window = last && time < last.endsAt ? last : { count: 0, endsAt: time + windowMs };
    window.count += 1;
    // A map keeps the order of insertion, so its first key is the least recently used one.
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > MAX_TRACKED_KEYS) windows.delete(windows.keys().next().value as string);
    return { isExceeded: window.count > max, retryAfterSeconds: Math.ceil((window.endsAt - time) / 1000) };
  };
}
