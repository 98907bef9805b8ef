import { expect, test } from "vitest";
import {
  formatCompact,
  formatDate,
  formatDateTime,
  formatLongDate,
  formatLongDateTime,
  formatNumber,
  formatPercent,
  formatRoundedPercent,
  formatShortDate,
  formatShortDateTime,
  formatTick,
  pluralize,
} from "./format.ts";

test("numbers have thousands separators, or are short for an axis", () => {
  expect([0, 1234, 9_876_543].map(formatNumber)).toEqual(["0", "1,234", "9,876,543"]);
  expect([0, 950, 1200, 2_500_000].map(formatCompact)).toEqual(["0", "950", "1.2K", "2.5M"]);
});

test("only exactly one is singular", () => {
  expect([0, 1, 2].map((count) => pluralize(count, "mail"))).toEqual(["0 mails", "1 mail", "2 mails"]);
  expect(pluralize(1234, "person", "people")).toBe("1,234 people");
});

test("percentages have one decimal, and a share that would round to zero is still seen", () => {
  expect(formatPercent(46, 100)).toBe("46.0%");
  expect(formatPercent(1, 1_000_000)).toBe("<0.1%");
  expect(formatPercent(0, 0)).toBe("0.0%");
});

test("rounded percentages have no decimals, and there are none of nothing", () => {
  expect(formatRoundedPercent(456, 1000)).toBe("46%");
  expect(formatRoundedPercent(0, 0)).toBe("–");
});

test("dates are in UTC, in each of their lengths", () => {
  const date = new Date("2026-11-15T23:59:00Z");
  expect(formatDate(date)).toBe("2026-11-15");
  expect(formatDateTime(date)).toBe("2026-11-15 23:59");
  expect(formatShortDate(date)).toBe("15 Nov 2026");
  expect(formatShortDateTime(date)).toBe("15 Nov, 23:59");
  expect(formatLongDate(date)).toBe("15 November 2026");
  expect(formatLongDateTime(date)).toBe("15 November 2026 at 23:59");
});

test("a date that isn't known is left out of tables, and a dash in text", () => {
  expect(formatDate(null)).toBe("");
  expect(formatDateTime(null)).toBe("–");
});

test("a tick names the year at New Year, the day at midnight, and the time else", () => {
  const ticks = ["2026-12-31T18:00Z", "2027-01-01T00:00Z", "2027-01-02T00:00Z"].map((at) => new Date(at));
  expect(ticks.map(formatTick)).toEqual(["18:00", "2027", "2 Jan"]);
});
