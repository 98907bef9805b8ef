import { focusManager } from "@tanstack/react-query";

/** How often a live view refetches, unless the page is hidden or idle. */
export const REFETCH_INTERVAL_MS = 5000;

/** After this long without keyboard or pointer input, the page stops refetching, so that the console can time out. */
const MAX_IDLE_MS = 5 * 60_000;

const EVENTS = ["pointermove", "pointerdown", "wheel", "keydown"];

/** Takes the focus away: TanStack Query refetches only with focus, and refetches stale queries when focus returns. */
export function stopRefetchingWhenIdle(): void {
  let timer: ReturnType<typeof setTimeout>;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => focusManager.setFocused(false), MAX_IDLE_MS);
    // Resets focus to the page's visibility.
    focusManager.setFocused(undefined);
  };
  for (const event of EVENTS) addEventListener(event, restart, { passive: true });
  restart();
}
