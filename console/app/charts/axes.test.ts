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
  const { timeTicks } = axesOf(hourly("2026-11-10T00:00Z", Array(73).fill(1)));
  expect(timeTicks[0]).toEqual({ x: 0, label: "Nov 10", minWidth: "narrow" });
  expect(timeTicks.find(({ label }) => label === "Nov 11")?.x).toBe(33.33);
});

test("a tick at the right edge has no label, which would touch the one before it", () => {
  const { timeTicks } = axesOf(hourly("2026-11-10T00:00Z", Array(73).fill(1)));
  expect(timeTicks.at(-1)).toMatchObject({ label: "18:00" });
});

test("a narrow chart keeps the dates and drops the times, wherever the axis begins", () => {
  const { timeTicks } = axesOf(hourly("2026-11-09T16:00Z", Array(72).fill(1)));
  const labels = (minWidth: string) => timeTicks.filter((tick) => tick.minWidth === minWidth).map(({ label }) => label);
  expect(labels("narrow")).toEqual(["Nov 10", "Nov 11", "Nov 12"]);
  expect(labels("medium")).toEqual(["12:00", "12:00", "12:00"]);
  expect(labels("wide")).toEqual(["18:00", "06:00", "18:00", "06:00", "18:00", "06:00"]);
});

test("the count axis runs from zero to a round number at the top, and has only whole counts", () => {
  const ticks = (counts: number[]) => axesOf(hourly("2026-11-10T00:00Z", counts)).countTicks;
  const texts = ticks([0, 3900]).map(({ y, label }) => `${y} ${label}`);
  expect(texts).toEqual(["200 0", "164 1K", "128 2K", "92 3K", "56 4K"]);
  expect(ticks([0, 1]).map(({ label }) => label)).toEqual(["0", "1"]);
});
