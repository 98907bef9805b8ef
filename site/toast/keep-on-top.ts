/** A ref that keeps toasts above the open menu: in the top layer, the last element to enter covers the others. */
export function keepOnTop(viewport: HTMLElement | null) {
  const raise = (event?: Event) => {
    if (event?.target === viewport) return;
    // Safari before 17 and Firefox before 125 have no popovers.
    viewport?.hidePopover?.();
    viewport?.showPopover?.();
  };
  raise();
  document.addEventListener("toggle", raise, true);
  return () => document.removeEventListener("toggle", raise, true);
}
