import * as Radix from "@radix-ui/react-toast";
import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { keepOnTop } from "./keep-on-top.ts";
import { DURATION_MS, FOCUS_KEY, toasts } from "./toasts.ts";

const SWIPE_THRESHOLD = 50;

/** Needs no listener for lost focus: Radix pauses open toasts then, and new toasts check focus when rendered. */
function onFocus(listener: () => void): () => void {
  addEventListener("focus", listener);
  return () => removeEventListener("focus", listener);
}

/** Loaded as a separate chunk (toaster.tsx), because Radix's toasts are a tenth of the page's JavaScript. */
export function ToastRegion() {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current);
  const isSeen = useSyncExternalStore(onFocus, () => document.hasFocus());
  return (
    // Keyed by toast, because Radix stays paused if a toast is dismissed while it has the pointer or the focus.
    <Radix.Provider key={toast?.id} duration={isSeen ? DURATION_MS : Infinity} swipeThreshold={SWIPE_THRESHOLD}>
      {toast && (
        <Radix.Root
          open={toast.state === "open"}
          onOpenChange={(open) => open || toasts.dismiss(toast.id)}
          // A tap or swipe would focus the toast, and a toast with the focus stays.
          onMouseDown={(event) => event.preventDefault()}
          data-variant={toast.variant}
          className="toast"
        >
          <Radix.Title className="toast-title font-medium">{toast.title}</Radix.Title>
          <Radix.Close
            aria-label="Dismiss"
            className="row-span-2 -m-1.5 grid size-11 place-items-center text-quiet hover:text-text"
          >
            <X className="size-4" aria-hidden />
          </Radix.Close>
          <Radix.Description className="text-sm text-quiet">{toast.description}</Radix.Description>
        </Radix.Root>
      )}
      <Radix.Viewport ref={keepOnTop} popover="manual" hotkey={[FOCUS_KEY]} className="toast-viewport" />
    </Radix.Provider>
  );
}
