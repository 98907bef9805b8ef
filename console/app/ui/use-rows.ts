import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect } from "react";

/** Virtualizes a table's rows: only visible ones are in the document. On a phone, a row has two lines. */
export function useRows(count: number, scroller: RefObject<HTMLElement | null>) {
  const rowHeight = matchMedia("(max-width: 48rem)").matches ? 56 : 36;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  // The virtualizer caches row heights, which change when a phone is rotated.
  useEffect(() => virtualizer.measure(), [rowHeight]);
  return virtualizer;
}
