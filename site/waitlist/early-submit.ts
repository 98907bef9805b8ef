import { isTooSoon, TOO_SOON } from "./page-age.ts";

/** How long a form submitted before hydration is held for the hydrated form, before the browser posts it. */
const MAX_HOLD_MS = 8000;

export const BUTTON_LABELS = { idle: "Join the Waitlist", submitting: "Joining..." };

let held: { event: Event; isTooSoon: boolean } | undefined;
let holdTimer: ReturnType<typeof setTimeout> | undefined;
let canHydrate = true;

function hold(event: Event): void {
  // The hydrated form has handled this submit.
  if (event.defaultPrevented) return;
  event.preventDefault();
  showAs("submitting", event);
  // Otherwise going back, or a reload in Firefox, would restore a disabled button.
  addEventListener("pagehide", () => showAs("idle", event), { once: true });
  clearTimeout(holdTimer);
  holdTimer = setTimeout(giveUp, MAX_HOLD_MS);
  held = { event, isTooSoon: isTooSoon(event.timeStamp) };
  if (!canHydrate) giveUp();
}

/** Makes the button look like SignUpForm's in that state. */
function showAs(state: keyof typeof BUTTON_LABELS, { target }: Event): void {
  const button = (target as HTMLFormElement).querySelector<HTMLButtonElement>("[type=submit]");
  if (!button) return;
  button.disabled = state === "submitting";
  button.textContent = BUTTON_LABELS[state];
}

/** Lets the browser post the form. A form submitted too soon stays held, for a toast once hydrated. */
function giveUp(): void {
  if (!held) return;
  const { event, isTooSoon } = held;
  if (!isTooSoon) {
    held = undefined;
    (event.target as HTMLFormElement).submit();
    return;
  }
  showAs("idle", event);
  const message = document.getElementById(TOO_SOON.id);
  message?.toggleAttribute("data-shown", true);
  message?.scrollIntoView();
}

export function startHolding(): void {
  addEventListener("submit", hold);
}

/** Called once the form is hydrated. Dispatches the original event, because its timestamp is the click's. */
export function replayHeldSubmit(): void {
  removeEventListener("submit", hold);
  if (!held) return;
  const { event } = held;
  held = undefined;
  showAs("idle", event);
  event.target?.dispatchEvent(event);
}

/** Called if the page can't be hydrated. */
export function stopHolding(): void {
  canHydrate = false;
  giveUp();
}
