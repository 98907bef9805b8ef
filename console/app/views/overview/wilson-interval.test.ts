import { expect, test } from "vitest";
import { wilsonInterval } from "./wilson-interval.ts";

// All but the first are examples of Newcombe, "Two-sided confidence intervals for the single proportion" (1998).
test.each([
  [1, 10, 0.0179, 0.4042],
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])("%i of %i is probably between %f and %f", (part, total, low, high) => {
  const interval = wilsonInterval(part, total);
  expect(interval[0]).toBeCloseTo(low, 4);
  expect(interval[1]).toBeCloseTo(high, 4);
});
