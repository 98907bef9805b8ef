/** Runs a task when the page has nothing better to do; the returned function calls it off. */
export function whenIdle(task: () => void): () => void {
  // WebKit has no idle callbacks; a moment after loading is close enough.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(task, 200);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(task, { timeout: 2000 });
  return () => cancelIdleCallback(request);
}
