import * as mark from "./mark.ts";
import { dark } from "./tokens.ts";

/** site/public/icon.svg: the mark on a tile, slightly bolder because icons are small. */
export function iconSvg(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none">
  <rect width="32" height="32" rx="7" fill="${dark.ground}" />
  <g transform="translate(3.6 4.4) scale(0.75)" stroke-linecap="round" stroke-linejoin="round">
    <path d="${mark.tower}" stroke="${dark.text}" stroke-width="3.4" />
    <path d="${mark.light}" fill="${dark.accentFar}" stroke="${dark.accentFar}" stroke-width="${mark.lightWidth}" />
  </g>
</svg>
`;
}
