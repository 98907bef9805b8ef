// Starts the clock for rejecting forms that are submitted too soon.
import "#site/waitlist/page-age.ts";
import { startHolding, stopHolding } from "#site/waitlist/early-submit.ts";

/**
 * The page and its form work as plain HTML, so it hydrates after the first paint. React and our own code load one after
 * the other, because together they would be one long task.
 */
async function hydrate(): Promise<void> {
  try {
    await import("react-dom/client");
    await import("./hydrate.tsx");
  } catch (reason) {
    stopHolding();
    throw reason;
  }
}

startHolding();
// A tab in the background isn't painted until it is shown.
if (!document.hidden && PerformanceObserver.supportedEntryTypes.includes("paint")) {
  const painted = new PerformanceObserver(() => {
    painted.disconnect();
    hydrate();
  });
  painted.observe({ type: "paint", buffered: true });
  addEventListener("visibilitychange", hydrate, { once: true });
} else {
  hydrate();
}
