import { type ComponentType, useEffect, useState } from "react";
import { whenIdle } from "#site/ui/when-idle.ts";
import { PlainToast } from "./plain-toast.tsx";

/**
 * Mounts the toast region after hydration, because Radix writes style attributes, which the page's HTML must not
 * contain. A toast shown before the chunk has loaded waits in the store.
 */
export function Toaster() {
  const [Region, setRegion] = useState<ComponentType>();
  useEffect(
    () =>
      whenIdle(() =>
        import("./toast-region.tsx").then(
          ({ ToastRegion }) => setRegion(() => ToastRegion),
          () => setRegion(() => PlainToast),
        ),
      ),
    [],
  );
  return Region && <Region />;
}
