import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cached } from "./cached.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a crowd within the time shares one read, and the next second has its own", async () => {
  const read = vi.fn(async () => read.mock.calls.length);
  const held = cached(read, 1000);
  expect(await Promise.all([held(), held(), held()])).toEqual([1, 1, 1]);
  vi.advanceTimersByTime(999);
  expect(await held()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await held()).toBe(2);
  expect(read).toHaveBeenCalledTimes(2);
});

test("a read that failed is not tried more often than any other", async () => {
  const read = vi.fn().mockRejectedValueOnce(new Error("away")).mockResolvedValue("back");
  const held = cached(read, 1000);
  await expect(held()).rejects.toThrow("away");
  await expect(held()).rejects.toThrow("away");
  expect(read).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1000);
  expect(await held()).toBe("back");
});

test("when a read fails, the last good value is still given", async () => {
  const read = vi.fn().mockResolvedValueOnce("good").mockRejectedValue(new Error("away"));
  const held = cached(read, 1000);
  expect(await held()).toBe("good");
  vi.advanceTimersByTime(1000);
  expect(await held()).toBe("good");
  expect(read).toHaveBeenCalledTimes(2);
});
