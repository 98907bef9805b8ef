export function whenIdle(task: () => void): () => void {
  // WebKit has no idle callbacks; a delay of 200 ms is close enough.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(task, 200);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(task, { timeout: 2000 });
  return () => cancelIdleCallback(request);
}
