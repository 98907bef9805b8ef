import { expect, test } from "vitest";
import { GRID_VERTEX, gridLines, LINE_VERTEX } from "./shaders.ts";

test("lines are slowed by 0.05", () => {
  expect(LINE_VERTEX).toContain("float t = time * 0.05;");
  expect(LINE_VERTEX.match(/\btime\b/g)).toHaveLength(2);
});

test("the grid covers a window of any aspect ratio, in cells one tenth of its height", () => {
  expect(GRID_VERTEX).toContain("float(n) / 10.0");
  for (const aspect of [0.4, 1, 1.6, 3]) {
    const { vertical, horizontal } = gridLines(aspect);
    expect((vertical - 1) / 10).toBeGreaterThanOrEqual(aspect);
    expect(horizontal).toBe(11);
  }
});
