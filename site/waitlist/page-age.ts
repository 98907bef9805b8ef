const MIN_AGE_MS = 3000;

/** The id of the element that shows it without toasts. */
export const TOO_SOON = {
  id: "too-soon",
  text: "Please take a moment to review your information before submitting.",
};

/** Measured from the start of the page's script: nobody can have read the form sooner, and few bots wait. */
const loadedAt = performance.now();

/** Takes an event's timestamp, which is from the same clock. */
export function isTooSoon(submittedAt: number): boolean {
  return submittedAt - loadedAt < MIN_AGE_MS;
}
