import { isTooSoon, TOO_SOON } from "./page-age.ts";

/** Holds a form that is submitted before hydration; the hydrated form takes it over, or else the browser posts it. */
const MAX_HOLD_MS = 8000;

export const BUTTON_LABELS = { idle: "Join the Waitlist", submitting: "Joining..." };

let held: { event: Event; isTooSoon: boolean } | undefined;
let holdTimer: ReturnType<typeof setTimeout> | undefined;
let canHydrate = true;

function hold(event: Event): void {
  // The hydrated form has handled it.
  if (event.defaultPrevented) return;
  event.preventDefault();
  showAs("submitting", event);
  // Both the back button and Firefox on a reload restore a disabled button.
  addEventListener("pagehide", () => showAs("idle", event), { once: true });
  clearTimeout(holdTimer);
  holdTimer = setTimeout(giveUp, MAX_HOLD_MS);
  held = { event, isTooSoon: isTooSoon(event.timeStamp) };
  if (!canHydrate) giveUp();
}

/** Looks as SignUpForm does in that state. */
function showAs(state: keyof typeof BUTTON_LABELS, { target }: Event): void {
  const button = (target as HTMLFormElement).querySelector<HTMLButtonElement>("[type=submit]");
  if (!button) return;
  button.disabled = state === "submitting";
  button.textContent = BUTTON_LABELS[state];
}

/** Leaves the form to the browser, as without JavaScript. One submitted too soon stays held: hydrated, it is a toast. */
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

/** The form is hydrated. Dispatches the held event itself, because its timestamp is the click's. */
export function replayHeldSubmit(): void {
  removeEventListener("submit", hold);
  if (!held) return;
  const { event } = held;
  held = undefined;
  showAs("idle", event);
  event.target?.dispatchEvent(event);
}

/** For when the page can't be hydrated. */
export function stopHolding(): void {
  canHydrate = false;
  giveUp();
}
