/** The id of the disabled button that stands in for the real one until hydration. */
export const NOT_YET = "not-yet";

/** More than the 3000 ms in which the form rejects submissions. waitlist.css waits as long. */
const MAX_WAIT_MS = 4000;

/** If hydration is late or fails, lets the browser post the form. */
export function allowNativeSubmit(): void {
  setTimeout(enableEnter, MAX_WAIT_MS);
  addEventListener("submit", ({ target }) => {
    const button = document.getElementById(NOT_YET);
    const form = button?.closest("form");
    if (!button || !form || target !== form) return;
    const { textContent: label } = button;
    showAs("submitting", form, form.dataset.submitting ?? label);
    // Otherwise going back, or a reload in Firefox, would restore a disabled button.
    addEventListener("pagehide", () => showAs("idle", form, label), { once: true });
  });
}

/** Enter presses a form's first button, so CSS alone can't enable Enter. */
export function enableEnter(): void {
  document.getElementById(NOT_YET)?.removeAttribute("disabled");
}

/** Makes the buttons look like SignUpForm's in the given state. */
function showAs(state: "idle" | "submitting", form: HTMLFormElement, label: string): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>("[type=submit]")) {
    button.disabled = state === "submitting";
    button.textContent = label;
  }
}
