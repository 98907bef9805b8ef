import { brand } from "#brand/brand.ts";

/** An F that is a watchtower, and its light. The same drawing stands in public/icon.svg. */
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
      <path d="M8.5 27V7.5M8.5 17.5h9" stroke="currentColor" strokeWidth="3" />
      <path d="M12.5 7.2 27.5 3v8.4Z" className="fill-accent-far stroke-accent-far" strokeWidth="1.4" />
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
