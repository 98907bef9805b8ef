import { useEffect, useSyncExternalStore } from "react";
import { keepOnTop } from "./keep-on-top.ts";
import { DURATION_MS, FOCUS_KEY, toasts } from "./toasts.ts";

/** Shown if the toast region's chunk is late or fails to load, because most browsers don't retry a failed module. */
export function PlainToast() {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current);
  const id = toast?.id;
  useEffect(() => {
    const focus = ({ code }: KeyboardEvent) =>
      code === FOCUS_KEY && document.querySelector<HTMLElement>(".toast-viewport")?.focus();
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  useEffect(() => {
    if (!id) return;
    const timer = setTimeout(() => toasts.dismiss(id), DURATION_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div ref={keepOnTop} popover="manual" role="alert" tabIndex={-1} className="toast-viewport">
      {toast?.state === "open" && (
        <div data-state="open" data-variant={toast.variant} className="toast">
          <div className="grid gap-1">
            <p className="toast-title font-medium">{toast.title}</p>
            <p className="text-sm text-quiet">{toast.description}</p>
          </div>
        </div>
      )}
    </div>
  );
}
