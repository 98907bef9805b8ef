import { expect, test } from "vitest";
import { createPreviewStore } from "./preview-store.ts";

test("a preview can be read until it expires, by its id only", () => {
  let time = 0;
  const store = createPreviewStore({ lifetimeMs: 1000, now: () => time });
  const [first, second] = [store.add("one"), store.add("two")];
  expect(first).toMatch(/^[\w-]{43}$/);
  expect([store.read(first), store.read(second), store.read("1")]).toEqual(["one", "two", undefined]);
  time = 999;
  expect(store.read(first)).toBe("one");
  time = 1000;
  expect(store.read(first)).toBeUndefined();
});

test("the oldest previews make room for new ones", () => {
  const store = createPreviewStore({ maxPreviews: 2 });
  const ids = ["one", "two", "three"].map(store.add);
  expect(ids.map(store.read)).toEqual([undefined, "two", "three"]);
});
