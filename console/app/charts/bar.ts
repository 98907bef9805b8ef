/** The width of a horizontal bar, in percent of the longest one. */
export function barWidth(value: number, max: number): number {
  return max && Math.round((value / max) * 10_000) / 100;
}
