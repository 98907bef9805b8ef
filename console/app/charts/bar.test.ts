import { expect, test } from "vitest";
import { barWidth } from "./bar.ts";

test("scales a bar to its share of the maximum, and to 0 when the maximum is 0", () => {
  expect(barWidth(10, 10)).toBe(100);
  expect(barWidth(1, 3)).toBe(33.33);
  expect(barWidth(0, 0)).toBe(0);
});
