import type { ReactNode, Ref } from "react";

interface ScrollRegionProps {
  label: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A part of the page that scrolls by itself, by keyboard too. */
export function ScrollRegion({ label, ref, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, Safari can't scroll it by keyboard
    <section className="grid" ref={ref} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
