import { expect, test } from "vitest";
import {
  formatCompact,
  formatDate,
  formatDateTime,
  formatLongDate,
  formatNumber,
  formatRoundedPercent,
  formatShortDate,
  formatShortDateTime,
  formatTick,
  pluralize,
} from "./format.ts";

test("formats numbers with thousands separators, or compactly", () => {
  expect([0, 1234, 9_876_543].map(formatNumber)).toEqual(["0", "1,234", "9,876,543"]);
  expect([0, 950, 1200, 2_500_000].map(formatCompact)).toEqual(["0", "950", "1.2K", "2.5M"]);
});

test("uses the singular only for exactly one", () => {
  expect([0, 1, 2].map((count) => pluralize(count, "mail"))).toEqual(["0 mails", "1 mail", "2 mails"]);
  expect(pluralize(1234, "person", "people")).toBe("1,234 people");
});

test("formats rounded percentages without decimals, and a share of zero as a dash", () => {
  expect(formatRoundedPercent(456, 1000)).toBe("46%");
  expect(formatRoundedPercent(0, 0)).toBe("–");
});

test("formats dates in UTC, from short to long", () => {
  const date = new Date("2026-11-15T23:59:00Z");
  expect(formatDate(date)).toBe("2026-11-15");
  expect(formatDateTime(date)).toBe("2026-11-15 23:59");
  expect(formatShortDate(date)).toBe("Nov 15, 2026");
  expect(formatShortDateTime(date)).toBe("Nov 15, 23:59");
  expect(formatLongDate(date)).toBe("November 15, 2026");
});

test("formats a missing date as empty and a missing time as a dash", () => {
  expect(formatDate(null)).toBe("");
  expect(formatDateTime(null)).toBe("–");
});

test("labels a tick with the year at New Year, the day at midnight and the time otherwise", () => {
  const ticks = ["2026-12-31T18:00Z", "2027-01-01T00:00Z", "2027-01-02T00:00Z"].map((at) => new Date(at));
  expect(ticks.map(formatTick)).toEqual(["18:00", "2027", "Jan 2"]);
});
