import { focusManager } from "@tanstack/react-query";

/** How often a live view refetches, unless the page is hidden or idle. */
export const REFETCH_INTERVAL_MS = 5000;

/** Without a key or a pointer for this long, the page is idle and stops refetching, so that the console can end. */
const MAX_IDLE_MS = 5 * 60_000;

const EVENTS = ["pointermove", "pointerdown", "wheel", "keydown"];

/** TanStack Query refetches only in a focused page, and everything that is stale once it is focused again. */
export function stopRefetchingWhenIdle(): void {
  let timer: ReturnType<typeof setTimeout>;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => focusManager.setFocused(false), MAX_IDLE_MS);
    // Whether the page is visible decides again.
    focusManager.setFocused(undefined);
  };
  for (const event of EVENTS) addEventListener(event, restart, { passive: true });
  restart();
}
