import { expect, test } from "vitest";
import { createPreviewStore } from "./preview-store.ts";

test("a preview can be read until it expires, by its id only", () => {
  let time = 0;
  const store = createPreviewStore({ lifetimeMs: 1000, now: () => time });
  const [first, second] = [store.add("mine", "one"), store.add("mine", "two")];
  expect(first).toMatch(/^[\w-]{43}$/);
  const read = (id: string) => store.read("mine", id);
  expect([read(first), read(second), read("1")]).toEqual(["one", "two", undefined]);
  time = 999;
  expect(read(first)).toBe("one");
  time = 1000;
  expect(read(first)).toBeUndefined();
});

test("the oldest previews make room for new ones", () => {
  const store = createPreviewStore({ maxPreviews: 2 });
  const ids = ["one", "two", "three"].map((html) => store.add("mine", html));
  expect(ids.map((id) => store.read("mine", id))).toEqual([undefined, "two", "three"]);
});
