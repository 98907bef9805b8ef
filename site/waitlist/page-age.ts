const MIN_AGE_MS = 3000;

/** Measured from the start of the page's script: nobody can have read the form sooner, and few bots wait. */
const loadedAt = performance.now();

export function isTooSoon(): boolean {
  return performance.now() - loadedAt < MIN_AGE_MS;
}
