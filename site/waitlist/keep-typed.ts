const findForm = () => globalThis.document?.querySelector<HTMLFormElement>("#waitlist form");

let last = findForm();

/** Copies typed values into a form that has replaced the previous one, after a hydration mismatch or an error. */
export function keepTyped(focused?: Element | null): void {
  const form = findForm();
  if (!form || form === last) return;
  for (const typed of last?.querySelectorAll("input") ?? []) {
    const input = form.elements.namedItem(typed.name);
    if (!(input instanceof HTMLInputElement)) continue;
    input.value = typed.value;
    input.checked = typed.checked;
    if (typed === focused) input.focus({ preventScroll: true });
  }
  last = form;
}
