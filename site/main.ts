// Starts the clock for rejecting forms that are submitted too soon.
import "#site/waitlist/page-age.ts";
import { allowNativeSubmit } from "#site/waitlist/native-submit.ts";

const MAX_WAIT_MS = 500;

/**
 * The page and its form work as plain HTML, so hydration waits for the first paint. React and our own code load one
 * after the other, because together they would be one long task. Repeated calls do nothing, because modules load once.
 */
async function hydrate(): Promise<void> {
  await import("react-dom/client");
  await import("./hydrate.tsx");
}

allowNativeSubmit();
new PerformanceObserver(hydrate).observe({ type: "paint", buffered: true });
// Hydrates after a timeout too, because Firefox reports no paint when the URL has a fragment.
requestAnimationFrame(() => setTimeout(hydrate, MAX_WAIT_MS));
// Hydrates a hidden tab immediately, because it isn't painted until it is shown.
if (document.hidden) hydrate();
addEventListener("visibilitychange", hydrate, { once: true });
