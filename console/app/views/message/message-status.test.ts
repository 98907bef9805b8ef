import { expect, test } from "vitest";
import { durationText } from "./message-status.ts";

test.each([
  [500, { count: 200, unit: "day" }, "about 3 days"],
  [500, { count: 500, unit: "day" }, "about 24 hours"],
  [100, { count: 100, unit: "hour" }, "about 1 hour"],
  [50, { count: 100, unit: "hour" }, "less than an hour"],
] as const)("%i people at %j take %s", (people, pace, text) => {
  expect(durationText(people, pace)).toBe(text);
});

test("without a pace nobody can tell", () => {
  expect(durationText(500, null)).toBeUndefined();
});
