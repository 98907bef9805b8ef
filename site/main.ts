// Starts the clock that keeps hasty submissions out.
import "#site/waitlist/page-age.ts";

/**
 * The page reads, and its form works, as plain HTML. So it is painted first and comes alive after that: one step after
 * the other, because React and our own code in one go would be one long task.
 */
async function comeAlive(): Promise<void> {
  await import("react-dom/client");
  await import("./hydrate.tsx");
}

if (PerformanceObserver.supportedEntryTypes.includes("paint")) {
  const painted = new PerformanceObserver(() => {
    painted.disconnect();
    comeAlive();
  });
  painted.observe({ type: "paint", buffered: true });
} else {
  comeAlive();
}
