import { expect, test } from "vitest";
import { areaChart } from "./area-chart.ts";

const days = (counts: number[], before: number[]) =>
  counts.map((count, day) => ({ at: new Date(Date.UTC(2026, 10, 10 + day)), count, before: before[day] ?? 0 }));

test("draws the day that isn't over apart, and closes the area along the bottom", () => {
  const { line, partial, area, before } = areaChart(days([0, 40, 10], []));
  expect(line).toBe("M0,200L50,56");
  expect(partial).toBe("M50,56L100,164");
  expect(area).toBe("M0,200L50,56L100,164L100,200L50,200L0,200Z");
  expect(before).toBeNull();
});

test("finds the peak, and the period before fits on the same axis", () => {
  const { peak, places, before } = areaChart(days([5, 10, 10], [40, 0, 20]));
  expect(peak).toBe(1);
  expect(places[peak]).toEqual({ x: 50, y: 164 });
  expect(before).toBe("M0,56L50,200L100,128");
});
