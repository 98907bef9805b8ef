import { focusManager } from "@tanstack/react-query";

/** How often a live view refetches, except while the page is idle or, by TanStack Query's default, hidden. */
export const REFETCH_INTERVAL_MS = 5000;

/** After this long without keyboard or pointer input, the page stops refetching, so that the console can time out. */
const MAX_IDLE_MS = 5 * 60_000;

/** After this long without input, requests count as polling, and don't keep a team's session alive. */
const POLLING_MS = 60_000;

let lastInputAt = Date.now();
export const isPolling = () => Date.now() - lastInputAt > POLLING_MS;

const EVENTS = ["pointermove", "pointerdown", "wheel", "keydown"];

/** Marks an idle page as unfocused: TanStack Query then stops refetching until focus returns. */
export function stopRefetchingWhenIdle(): void {
  let timer: ReturnType<typeof setTimeout>;
  const restart = () => {
    lastInputAt = Date.now();
    clearTimeout(timer);
    timer = setTimeout(() => focusManager.setFocused(false), MAX_IDLE_MS);
    // The page counts as focused again if it is shown.
    focusManager.setFocused(undefined);
  };
  for (const event of EVENTS) addEventListener(event, restart, { passive: true });
  restart();
}
