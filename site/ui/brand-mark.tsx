import { brand } from "#brand/brand.ts";
import * as mark from "#brand/mark.ts";

function BrandMark() {
  return (
    <svg
      viewBox="0 0 32 32"
      className="size-7"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={mark.tower} stroke="currentColor" strokeWidth={mark.towerWidth} />
      <path d={mark.light} className="fill-accent-far stroke-accent-far" strokeWidth={mark.lightWidth} />
    </svg>
  );
}

export function BrandLink() {
  return (
    <a href="/" className="inline-flex min-h-11 items-center gap-2 text-lg font-semibold tracking-tight">
      <BrandMark />
      {brand.name}
    </a>
  );
}
