import * as Radix from "@radix-ui/react-toast";
import { useSyncExternalStore } from "react";
import { toasts } from "./toasts.ts";

const DURATION_MS = 5000;
const SWIPE_THRESHOLD = 50;
const FOCUS_KEY = "F8";

const LOOK = { default: "border-white/20", destructive: "border-bad" };

/** Loaded by itself (see toaster.tsx), because Radix's toasts are a tenth of the page's JavaScript. */
export function ToastRegion() {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current);
  return (
    <Radix.Provider duration={DURATION_MS} swipeThreshold={SWIPE_THRESHOLD}>
      {toast && (
        <Radix.Root
          key={toast.id}
          open={toast.state === "open"}
          onOpenChange={(open) => open || toasts.dismiss(toast.id)}
          data-variant={toast.variant}
          className={`rounded-lg border bg-ground p-4 ${LOOK[toast.variant]}`}
        >
          <Radix.Title className="font-semibold">{toast.title}</Radix.Title>
          <Radix.Description className="text-quiet">{toast.description}</Radix.Description>
          <Radix.Close className="underline">Dismiss</Radix.Close>
        </Radix.Root>
      )}
      <Radix.Viewport
        hotkey={[FOCUS_KEY]}
        className="fixed inset-x-0 bottom-0 flex flex-col p-4 sm:left-auto sm:w-full sm:max-w-[420px]"
      />
    </Radix.Provider>
  );
}
