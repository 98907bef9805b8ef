import { expect, test } from "vitest";
import { countScale, countTicks, type Point, timeScale, timeTicks } from "./axes.ts";

const HOUR_MS = 3_600_000;

function hourly(from: string, counts: number[]): Point[] {
  return counts.map((count, hour) => ({ at: new Date(Date.parse(from) + hour * HOUR_MS), count, before: 0 }));
}

function axesOf(points: Point[]) {
  return { timeTicks: timeTicks(timeScale(points)), countTicks: countTicks(countScale(points)) };
}

test("the time axis runs from the first point to the last, in percent", () => {
  const { timeTicks } = axesOf(hourly("2026-11-10T00:00Z", Array(80).fill(1)));
  expect(timeTicks).toEqual([
    { x: 0, label: "Nov 10" },
    { x: 30.38, label: "Nov 11" },
    { x: 60.76, label: "Nov 12" },
    { x: 91.14, label: "Nov 13" },
  ]);
});

test("a tick at the right edge has no label, which would overflow the chart", () => {
  const { timeTicks } = axesOf(hourly("2026-11-10T00:00Z", Array(73).fill(1)));
  expect(timeTicks.at(-1)).toMatchObject({ label: "Nov 12" });
});

test("the count axis runs from zero to a round number at the top, and has only whole counts", () => {
  const ticks = (counts: number[]) => axesOf(hourly("2026-11-10T00:00Z", counts)).countTicks;
  const texts = ticks([0, 3900]).map(({ y, label }) => `${y} ${label}`);
  expect(texts).toEqual(["200 0", "164 1K", "128 2K", "92 3K", "56 4K"]);
  expect(ticks([0, 1]).map(({ label }) => label)).toEqual(["0", "1"]);
});
