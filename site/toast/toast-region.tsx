import * as Radix from "@radix-ui/react-toast";
import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { DURATION_MS, toasts } from "./toasts.ts";

const SWIPE_THRESHOLD = 50;
const FOCUS_KEY = "F8";

/** Loaded as a separate chunk (toaster.tsx), because Radix's toasts are a tenth of the page's JavaScript. */
export function ToastRegion() {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current);
  return (
    // Keyed by toast, because Radix stays paused if a toast is dismissed while it has the pointer or the focus.
    <Radix.Provider key={toast?.id} duration={DURATION_MS} swipeThreshold={SWIPE_THRESHOLD}>
      {toast && (
        <Radix.Root
          open={toast.state === "open"}
          onOpenChange={(open) => open || toasts.dismiss(toast.id)}
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
      <Radix.Viewport hotkey={[FOCUS_KEY]} className="toast-viewport" />
    </Radix.Provider>
  );
}
