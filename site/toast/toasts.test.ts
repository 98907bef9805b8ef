import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createToastStore } from "./toasts.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hello = { variant: "default", title: "Hello", description: "" } as const;

test("a dismissed toast is removed after 1,000,000 ms, not before", () => {
  const store = createToastStore();
  for (const [index, variant] of (["default", "destructive"] as const).entries()) {
    const id = index + 1;
    store.show({ ...hello, variant });
    vi.advanceTimersByTime(2_000_000);
    expect(store.current()).toMatchObject({ id, state: "open" });
    store.dismiss(id);
    vi.advanceTimersByTime(600_000);
    // A second dismissal doesn't restart the timer.
    store.dismiss(id);
    vi.advanceTimersByTime(399_999);
    expect(store.current()).toMatchObject({ id, state: "dismissed" });
    vi.advanceTimersByTime(1);
    expect(store.current()).toBeUndefined();
  }
});

test("removing a dismissed toast leaves the next one alone", () => {
  const store = createToastStore();
  store.show(hello);
  store.dismiss(1);
  store.show(hello);
  store.dismiss(1);
  vi.advanceTimersByTime(1_000_000);
  expect(store.current()).toMatchObject({ id: 2, state: "open" });
});
