import { expect, test } from "vitest";
import { durationText } from "./message-status.ts";

test.each([
  [500, { count: 200, unit: "day" }, "about 3 days"],
  [500, { count: 500, unit: "day" }, "about 24 hours"],
  [100, { count: 100, unit: "hour" }, "about 1 hour"],
  [50, { count: 100, unit: "hour" }, "about 30 minutes"],
  [90_000, { count: 100_000, unit: "hour" }, "about 3 hours"],
  [50, null, "about 1 minute"],
] as const)("%i people at %j take %s", (people, pace, text) => {
  expect(durationText(people, pace, 500)).toBe(text);
});

test("while mail is off, nobody can tell", () => {
  expect(durationText(500, null, null)).toBeUndefined();
});
