import type { ComponentProps } from "react";

export function ScrollRegion(props: ComponentProps<"section"> & { "aria-label": string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without tabIndex, Safari can't scroll the region by keyboard
  return <section className="grid" tabIndex={0} {...props} />;
}
