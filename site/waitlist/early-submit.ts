/** Holds a form that is submitted before hydration; the hydrated form takes it over, or else the browser posts it. */
const MAX_HOLD_MS = 8000;

let held: Event | undefined;

function hold(event: Event): void {
  // The hydrated form has handled it.
  if (event.defaultPrevented) return;
  event.preventDefault();
  (event.target as HTMLFormElement).ariaBusy = "true";
  if (!held) setTimeout(postHeldSubmit, MAX_HOLD_MS);
  held = event;
}

function takeHeld(): Event | undefined {
  const event = held;
  held = undefined;
  return event;
}

function postHeldSubmit(): void {
  (takeHeld()?.target as HTMLFormElement | undefined)?.submit();
}

export function startHolding(): void {
  addEventListener("submit", hold);
}

/** Dispatches the held event itself, because its timestamp is the click's. */
export function replayHeldSubmit(): void {
  const event = takeHeld();
  if (!event) return;
  const form = event.target as HTMLFormElement;
  form.ariaBusy = null;
  form.dispatchEvent(event);
}

/** Leaves the form to the browser, as without JavaScript. */
export function stopHolding(): void {
  removeEventListener("submit", hold);
  postHeldSubmit();
}
