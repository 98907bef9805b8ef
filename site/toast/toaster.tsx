import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react";
import { whenIdle } from "#site/ui/when-idle.ts";
import { PlainToast } from "./plain-toast.tsx";
import { toasts } from "./toasts.ts";

const MAX_WAIT_MS = 1000;

/**
 * Mounts the toast region after hydration, because Radix writes style attributes, which the page's HTML must not
 * contain. A toast shown before the chunk has loaded waits in the store, for at most a second.
 */
export function Toaster() {
  const [Region, setRegion] = useState<ComponentType>();
  const [isLate, setIsLate] = useState(false);
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current, toasts.current);
  useEffect(
    () =>
      whenIdle(() => {
        const timer = setTimeout(setIsLate, MAX_WAIT_MS, true);
        import("./toast-region.tsx")
          .then(({ ToastRegion }) => setRegion(() => ToastRegion))
          .catch(() => setIsLate(true))
          .finally(() => clearTimeout(timer));
      }),
    [],
  );
  // A late region doesn't replace an open toast, because it would show that toast for another 5000 ms.
  if (isLate && Region && toast?.state !== "open") setIsLate(false);
  return isLate ? <PlainToast /> : Region && <Region />;
}
