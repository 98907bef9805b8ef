import { expect, test } from "vitest";
import { columnChart } from "./column-chart.ts";

const DAY_MS = 24 * 3_600_000;
const DAYS = ["2026-11-10", "2026-11-11", "2026-11-12", "2026-11-13"].map((date) => new Date(date));

function columnsOf(counts: number[], now = new Date("2026-11-14")) {
  const points = DAYS.map((at, index) => ({ at, count: counts[index] ?? 0 }));
  return columnChart(points, DAY_MS, now).columns;
}

test("columns share the width equally and rise from the bottom", () => {
  const columns = columnsOf([1, 2, 3, 4]).map(({ x, y, width, height }) => ({ x, y, width, height }));
  expect(columns).toEqual([
    { x: 3.5, y: 158, width: 18, height: 42 },
    { x: 28.5, y: 116, width: 18, height: 84 },
    { x: 53.5, y: 74, width: 18, height: 126 },
    { x: 78.5, y: 32, width: 18, height: 168 },
  ]);
});

test("leaves a gap instead of a column for zero", () => {
  expect(columnsOf([1, 0, 0, 4]).map(({ at, x }) => [at, x])).toEqual([
    [DAYS[0], 3.5],
    [DAYS[3], 78.5],
  ]);
});

test("flags only a day that isn't over as partial", () => {
  const partial = (now: string) => columnsOf([1, 1, 1, 1], new Date(now)).map(({ isPartial }) => isPartial);
  expect(partial("2026-11-13T23:59Z")).toEqual([false, false, false, true]);
  expect(partial("2026-11-14T00:00Z")).toEqual([false, false, false, false]);
});
