import { expect, test } from "vitest";
import { areaChart } from "./area-chart.ts";

test("draws the line through every point and closes the area along the bottom", () => {
  const points = [0, 10, 40].map((count, day) => ({ at: new Date(Date.UTC(2026, 10, 10 + day)), count }));
  const { line, area } = areaChart(points);
  expect(line).toBe("M0,200L50,158L100,32");
  expect(area).toBe("M0,200L50,158L100,32L100,200L50,200L0,200Z");
});
