import { expect, test } from "vitest";
import { csvRow } from "./csv-row.ts";

test.each([
  ["=1+1", "'=1+1"],
  ["+x", "'+x"],
  ["@cmd", "'@cmd"],
  ["＝1", "'＝1"],
  ["a;=1", "a;'=1"],
  ['a;"=1', `a;""'=1`],
  ["a; +x", "a; '+x"],
  ["a\t@cmd", "a\t'@cmd"],
  ["\u200B=1", "\u200B'=1"],
  ["\u00A0+x", "\u00A0'+x"],
  ["a;\u3000\u2060＝1", "a;\u3000\u2060'＝1"],
  ["a=1", "a=1"],
  ["a;b=1", "a;b=1"],
  ['"=1', '""=1'],
])("%j is a cell that no spreadsheet runs as a formula", (text, escaped) => {
  expect(csvRow([text])).toBe(`"${escaped}"\n`);
});

test("texts are quoted, with their quotes doubled, and other values aren't", () => {
  const at = new Date("2026-11-30T18:00:00.999Z");
  expect(csvRow(['a "b", c\nd', "", null, true, at])).toBe('"a ""b"", c\nd","",,true,2026-11-30 18:00:00\n');
});
