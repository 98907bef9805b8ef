/**
 * The logo in a 32 × 32 view box: a watchtower shaped like an F in the text color, its light in the accent color.
 * Separate constants, because bundlers inline those but not an object.
 */
export const tower = "M8.5 27V7.5M8.5 17.5h9";
export const towerWidth = 3;
export const light = "M12.5 7.2 27.5 3v8.4Z";
export const lightWidth = 1.4;

/** The logo as an SVG string, for pages without React; `markStyle` colors the watchtower's light. */
export function markSvg(): string {
  return `<svg class="mark" viewBox="0 0 32 32" width="28" height="28" fill="none" stroke="currentColor" stroke-width="${towerWidth}" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${tower}"/><path class="light" d="${light}"/></svg>`;
}

export function markStyle(): string {
  return `.mark .light {
  fill: var(--color-accent-far);
  stroke: var(--color-accent-far);
  stroke-width: ${lightWidth};
}
`;
}

/** The logo drawn with CSS borders, for mails, which have no images. The dark scheme recolors it by class. */
export function markHtml(towerColor: string, lightColor: string): string {
  const light = `width:0;height:0;margin-left:2px;border-style:solid;border-width:4px 14px 4px 0;border-color:transparent ${lightColor} transparent transparent`;
  return `<div class="tower" style="width:20px;height:20px;border-left:3px solid ${towerColor}"><div class="light" style="${light}"></div><div class="tower" style="width:8px;margin-top:2px;border-top:3px solid ${towerColor}"></div></div>`;
}
