import { expect, test, vi } from "vitest";
import { createSurgeBrake } from "./surge-brake.ts";

test("engages once in a minute that exceeds the maximum, and releases after a minute that doesn't", () => {
  let time = 1_000_000;
  const onEngage = vi.fn();
  const brake = createSurgeBrake(3, onEngage, () => time);
  const count = (times: number) => Array.from({ length: times }).forEach(() => void brake.count());

  count(3);
  expect(brake.isEngaged()).toBe(false);
  count(5);
  expect(brake.isEngaged()).toBe(true);
  expect(onEngage).toHaveBeenCalledTimes(1);
  time += 60_000;
  count(4);
  expect(onEngage).toHaveBeenCalledTimes(2);
  time += 60_000;
  count(3);
  expect(brake.isEngaged()).toBe(true);
  time += 60_000;
  count(3);
  expect(brake.isEngaged()).toBe(false);
  expect(onEngage).toHaveBeenCalledTimes(2);
});
