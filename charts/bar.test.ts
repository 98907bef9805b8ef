import { expect, test } from "vitest";
import { barWidth } from "./bar.ts";

test("a bar is as wide as its share, and of nothing there is none", () => {
  expect(barWidth(10, 10)).toBe(100);
  expect(barWidth(1, 3)).toBe(33.33);
  expect(barWidth(0, 0)).toBe(0);
});
