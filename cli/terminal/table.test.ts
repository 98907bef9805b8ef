import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { formatKeyValueList, formatTable } from "./table.ts";

const plain = (text: string) => stripVTControlCharacters(text).split("\n");

test("a table that fits the terminal is only as wide as its content", () => {
  expect(plain(formatTable([{ name: "Ada", company: "Acme" }], { width: 80 }))).toEqual([
    "name  company",
    "Ada   Acme",
  ]);
});

test("a table with wide characters is truncated to the terminal, keepColumn last", () => {
  const rows = [{ name: "李小龙".repeat(10), email: "bruce@example.com", company: "株式会社".repeat(10) }];
  const lines = plain(formatTable(rows, { keepColumn: "email", width: 50 }));
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(50);
  expect(lines[1]).toContain("bruce@example.com");
  expect(lines[1]).toContain("…");
});

test("a long value wraps and stays aligned with its first line", () => {
  const lines = plain(formatKeyValueList({ words: "one two three four five six" }, 30));
  expect(lines).toEqual(["words  one two three four five", "       six"]);
});
