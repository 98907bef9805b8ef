import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cached } from "./cached.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("shares one read among all callers until its TTL expires", async () => {
  const read = vi.fn(async () => read.mock.calls.length);
  const get = cached(read, 1000);
  expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
  vi.advanceTimersByTime(999);
  expect(await get()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await get()).toBe(2);
  expect(read).toHaveBeenCalledTimes(2);
});

test("caches a failed read until its TTL expires", async () => {
  const read = vi.fn().mockRejectedValueOnce(new Error("away")).mockResolvedValue("back");
  const get = cached(read, 1000);
  await expect(get()).rejects.toThrow("away");
  await expect(get()).rejects.toThrow("away");
  expect(read).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1000);
  expect(await get()).toBe("back");
});

test("returns the last good value when a read fails", async () => {
  const read = vi.fn().mockResolvedValueOnce("good").mockRejectedValue(new Error("away"));
  const get = cached(read, 1000);
  expect(await get()).toBe("good");
  vi.advanceTimersByTime(1000);
  expect(await get()).toBe("good");
  expect(read).toHaveBeenCalledTimes(2);
});
