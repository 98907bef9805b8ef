import { type ComponentType, useEffect, useState } from "react";
import { whenIdle } from "#site/ui/when-idle.ts";

/**
 * Mounts the toast region after hydration, from a chunk of its own. Radix writes style attributes, which the page's
 * HTML must not contain; a toast shown before the chunk is here waits in the store.
 */
export function Toaster() {
  const [Region, setRegion] = useState<ComponentType>();
  useEffect(
    () => whenIdle(() => import("./toast-region.tsx").then(({ ToastRegion }) => setRegion(() => ToastRegion))),
    [],
  );
  return Region && <Region />;
}
