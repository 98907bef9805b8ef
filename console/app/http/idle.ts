import { focusManager } from "@tanstack/react-query";

/** How often a live view refetches, unless the page is hidden or idle. */
export const REFETCH_INTERVAL_MS = 5000;

/** After this long without keyboard or pointer input, the page stops refetching, so that the console can time out. */
const MAX_IDLE_MS = 5 * 60_000;

const EVENTS = ["pointermove", "pointerdown", "wheel", "keydown"];

/** Marks an idle page as unfocused: TanStack Query then stops refetching until focus returns. */
export function stopRefetchingWhenIdle(): void {
  let timer: ReturnType<typeof setTimeout>;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => focusManager.setFocused(false), MAX_IDLE_MS);
    // A visible page counts as focused again.
    focusManager.setFocused(undefined);
  };
  for (const event of EVENTS) addEventListener(event, restart, { passive: true });
  restart();
}
