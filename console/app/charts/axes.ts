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

/** As many as fit on a phone. */
const MAX_TIME_LABELS = 4;
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
  const dates = scale.ticks(MAX_TIME_LABELS);
  // D3 may return almost twice as many ticks.
  const step = Math.ceil(dates.length / MAX_TIME_LABELS);
  return dates
    .filter((_, index) => index % step === 0)
    .map((date) => ({ x: round(scale(date)), label: formatTick(date) }))
    .filter(({ x }) => x <= MAX_LABELED_X);
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
