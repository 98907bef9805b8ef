import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect } from "react";

/** A table of any length, of which only the visible rows are in the document. On a phone, a row has two lines. */
export function useRows(count: number, scroller: RefObject<HTMLElement | null>) {
  const rowHeight = matchMedia("(max-width: 48rem)").matches ? 56 : 36;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  // Known sizes would stay when the phone is turned.
  useEffect(() => virtualizer.measure(), [rowHeight]);
  return virtualizer;
}
