const WINDOW_MS = 60_000;

/**
 * Detects more than `maxPerMinute` sign-ups in a minute. A surge ends after a minute below the maximum.
 * `onSurge` is called once for each minute above it.
 */
export function createSurgeDetector(maxPerMinute: number, onSurge: () => void, now = Date.now) {
  let windowStart = 0;
  let count = 0;
  let surgeEnd = 0;
  return {
    count() {
      const time = now();
      if (time >= windowStart + WINDOW_MS) {
        windowStart = time;
        count = 0;
      }
      count += 1;
      if (count !== maxPerMinute + 1) return;
      surgeEnd = windowStart + 2 * WINDOW_MS;
      onSurge();
    },
    isSurging: () => now() < surgeEnd,
  };
}
