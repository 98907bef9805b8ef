const WINDOW_MS = 60_000;

export interface SurgeBrake {
  /** Counts a sign-up. */
  count(): void;
  isEngaged(): boolean;
}

/**
 * Engages when more people sign up within a minute than any crowd explains, and releases a minute later unless that
 * goes on. `onEngage` is called once for each such minute.
 */
export function createSurgeBrake(maxPerMinute: number, onEngage: () => void, now = Date.now): SurgeBrake {
  let windowStart = 0;
  let count = 0;
  let engagedUntil = 0;
  return {
    count() {
      const time = now();
      if (time >= windowStart + WINDOW_MS) {
        windowStart = time;
        count = 0;
      }
      count += 1;
      if (count !== maxPerMinute + 1) return;
      engagedUntil = windowStart + 2 * WINDOW_MS;
      onEngage();
    },
    isEngaged: () => now() < engagedUntil,
  };
}
