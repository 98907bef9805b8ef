const MINIMUM_AGE_MS = 3000;

/** Counted from when the page's script starts: nobody can have read the form before that, and few bots wait. */
const loadedAt = performance.now();

export function isTooSoon(): boolean {
  return performance.now() - loadedAt < MINIMUM_AGE_MS;
}
