const MIN_AGE_MS = 3000;

/** When the page's script started. Nobody can have read the form earlier, and few bots wait. */
const loadedAt = performance.now();

/** Takes an event's timestamp, which uses the same clock as performance.now(). */
export function isTooSoon(submittedAt: number): boolean {
  return submittedAt - loadedAt < MIN_AGE_MS;
}
