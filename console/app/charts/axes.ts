/**
 * Both axes of a chart. x is in percent, so that a chart fits any width; y is in pixels. A viewBox would also scale the
 * labels.
 */
import { type ScaleLinear, type ScaleTime, scaleLinear, scaleUtc } from "d3-scale";
import { formatCompact, formatTick } from "#core/text/format.ts";

export interface Point {
  at: Date;
  count: number;
  before: number;
}

export const PLOT = { top: 56, bottom: 200, height: 228 };

const CHART_WIDTHS = [
  { name: "narrow", maxLabels: 4 },
  { name: "medium", maxLabels: 8 },
  { name: "wide", maxLabels: 13 },
] as const;

const DAY_MS = 24 * 3_600_000;
/** Beyond this, a label would overflow the chart or, if aligned with the edge, touch the label before it. */
const MAX_LABELED_X = 97;

export function timeScale(points: Point[]): ScaleTime<number, number> {
  const times = points.map(({ at }) => at.getTime());
  return scaleUtc([Math.min(...times), Math.max(...times)], [0, 100]);
}

export function countScale(points: Point[]): ScaleLinear<number, number> {
  return scaleLinear(
    [0, Math.max(...points.flatMap(({ count, before }) => [count, before]))],
    [PLOT.bottom, PLOT.top],
  ).nice(4);
}

export function timeTicks(scale: ScaleTime<number, number>) {
  const dates = scale.ticks(10);
  // Label steps are counted from the first midnight tick, so that narrow charts drop times of day and keep dates.
  const midnight = dates.findIndex((date) => date.getTime() % DAY_MS === 0);
  return dates.flatMap((date, index) => {
    const fitting = CHART_WIDTHS.find(({ maxLabels }) => (index - midnight) % labelStep(dates.length, maxLabels) === 0);
    const x = round(scale(date));
    // `minWidth` names the narrowest chart with room for the label.
    return fitting && x <= MAX_LABELED_X ? { x, label: formatTick(date), minWidth: fitting.name } : [];
  });
}

/** A power of two, so that each tick labeled in a narrow chart is also labeled in wider ones. */
function labelStep(labels: number, maxLabels: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(labels / maxLabels)));
}

export function countTicks(scale: ScaleLinear<number, number>) {
  return scale
    .ticks(4)
    .filter(Number.isInteger)
    .map((count) => ({ y: round(scale(count)), label: formatCompact(count) }));
}

/** Two decimals are finer than any screen's pixels. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
