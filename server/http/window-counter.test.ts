import { expect, test } from "vitest";
import { createWindowCounter } from "./window-counter.ts";

test("counts by key until the window ends, and says how long that is", () => {
  let time = 5000;
  const count = createWindowCounter({ max: 2, windowMs: 60_000 }, () => time);
  expect(count("ada")).toEqual({ isExceeded: false, retryAfterSeconds: 60 });
  time += 10_500;
  expect(count("ada")).toEqual({ isExceeded: false, retryAfterSeconds: 50 });
  expect(count("ada").isExceeded).toBe(true);
  expect(count("bob").isExceeded).toBe(false);
  time = 64_999;
  expect(count("ada")).toEqual({ isExceeded: true, retryAfterSeconds: 1 });
  time = 65_000;
  expect(count("ada")).toEqual({ isExceeded: false, retryAfterSeconds: 60 });
});

test("with too many keys, the least recently used one starts from zero", () => {
  const count = createWindowCounter({ max: 1, windowMs: 60_000 });
  for (const key of ["used", "old", "old", "used"]) count(key);
  for (let key = 0; key < 19_999; key += 1) count(String(key));
  expect(count("used").isExceeded).toBe(true);
  expect(count("old").isExceeded).toBe(false);
});
