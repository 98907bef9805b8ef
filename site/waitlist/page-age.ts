const MIN_AGE_MS = 3000;

/** Measured from the start of the page's script: nobody can have read the form sooner, and few bots wait. */
const loadedAt = performance.now();

/** Takes an event's timestamp, which is from the same clock. */
export function isTooSoon(submittedAt: number): boolean {
  return submittedAt - loadedAt < MIN_AGE_MS;
}
