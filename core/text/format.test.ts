import { expect, test } from "vitest";
import {
  formatAgo,
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

const at = new Date("2026-11-15T23:59:00Z");

test.each([
  ["a number with thousands separators", formatNumber(9_876_543), "9,876,543"],
  ["a number compactly", formatCompact(1200), "1.2K"],
  ["one in the singular", pluralize(1, "mail"), "1 mail"],
  ["zero in the plural", pluralize(0, "mail"), "0 mails"],
  ["an irregular plural", pluralize(1234, "person", "people"), "1,234 people"],
  ["a percentage without decimals", formatRoundedPercent(456, 1000), "46%"],
  ["a share of zero as a dash", formatRoundedPercent(0, 0), "–"],
  ["a date in UTC", formatDate(at), "2026-11-15"],
  ["a date and time in UTC", formatDateTime(at), "2026-11-15 23:59"],
  ["a short date in UTC", formatShortDate(at), "Nov 15, 2026"],
  ["a short date and time in UTC", formatShortDateTime(at), "Nov 15, 23:59"],
  ["a long date in UTC", formatLongDate(at), "November 15, 2026"],
  ["a missing date as empty", formatDate(null), ""],
  ["an age under a minute, or in the future", formatAgo(at, new Date("2026-11-15T23:58:00Z"), "a day"), "just now"],
  ["an age in minutes", formatAgo(at, new Date("2026-11-16T00:58:59Z"), "a day"), "59 min ago"],
  ["an age in hours", formatAgo(at, new Date("2026-11-16T23:58:59Z"), "a day"), "23 h ago"],
  ["an age in days", formatAgo(at, new Date("2026-11-16T23:59:00Z"), "a day"), "1 day ago"],
  ["an age over a month as a date", formatAgo(at, new Date("2026-12-16T00:00:00Z"), "a day"), "a day"],
  ["a missing time as a dash", formatDateTime(null), "–"],
  ["a tick by its time", formatTick(new Date("2026-12-31T18:00Z")), "18:00"],
  ["a tick at New Year by the year", formatTick(new Date("2027-01-01T00:00Z")), "2027"],
  ["a tick at midnight by the day", formatTick(new Date("2027-01-02T00:00Z")), "Jan 2"],
])("formats %s", (_what, formatted, expected) => {
  expect(formatted).toBe(expected);
});
