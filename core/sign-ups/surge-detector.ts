const WINDOW_MS = 60_000;

/**
 * Detects when more people sign up within a minute than any crowd explains. A surge is over a minute later unless that
 * goes on. `onSurge` is called once for each such minute.
 */
export function createSurgeDetector(maxPerMinute: number, onSurge: () => void, now = Date.now) {
  let windowStart = 0;
  let count = 0;
  let surgeEnd = 0;
  return {
    /** Counts a sign-up. */
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
