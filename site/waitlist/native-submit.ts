/** The id of the disabled button that stands in for the real one until hydration. */
export const NOT_YET = "not-yet";

/** More than the 3000 ms in which the form rejects submissions. waitlist.css waits as long. */
const MAX_WAIT_MS = 4000;

export const BUTTON_LABELS = { loading: "Join the Waitlist", idle: "Join the Waitlist", submitting: "Joining..." };

/** If hydration is late or fails, lets the browser post the form. */
export function allowNativeSubmit(): void {
  setTimeout(enableEnter, MAX_WAIT_MS);
  addEventListener("submit", ({ target }) => {
    const form = document.getElementById(NOT_YET)?.closest("form");
    if (!form || target !== form) return;
    showAs("submitting", form);
    // Otherwise going back, or a reload in Firefox, would restore a disabled button.
    addEventListener("pagehide", () => showAs("idle", form), { once: true });
  });
}

/** Enter presses a form's first button, so CSS alone can't enable Enter. */
export function enableEnter(): void {
  document.getElementById(NOT_YET)?.removeAttribute("disabled");
}

/** Makes the buttons look like SignUpForm's in the given state. */
function showAs(state: "idle" | "submitting", form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>("[type=submit]")) {
    button.disabled = state === "submitting";
    button.textContent = BUTTON_LABELS[state];
  }
}
