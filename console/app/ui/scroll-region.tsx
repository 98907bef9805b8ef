import type { ReactNode, Ref } from "react";

interface ScrollRegionProps {
  label: string;
  className?: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

export function ScrollRegion({ label, className = "grid", ref, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without tabIndex, Safari can't scroll the region by keyboard
    <section className={className} ref={ref} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
