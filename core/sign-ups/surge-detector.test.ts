import { expect, test, vi } from "vitest";
import { createSurgeDetector } from "./surge-detector.ts";

test("reports a surge once per minute above the maximum, and its end after a minute below it", () => {
  let time = 1_000_000;
  const onSurge = vi.fn();
  const detector = createSurgeDetector(3, onSurge, () => time);
  const count = (times: number) => Array.from({ length: times }).forEach(() => void detector.count());

  count(3);
  expect(detector.isSurging()).toBe(false);
  count(5);
  expect(detector.isSurging()).toBe(true);
  expect(onSurge).toHaveBeenCalledTimes(1);
  time += 60_000;
  count(4);
  expect(onSurge).toHaveBeenCalledTimes(2);
  time += 60_000;
  count(3);
  expect(detector.isSurging()).toBe(true);
  time += 60_000;
  count(3);
  expect(detector.isSurging()).toBe(false);
  expect(onSurge).toHaveBeenCalledTimes(2);
});
