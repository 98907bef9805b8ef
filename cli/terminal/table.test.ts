import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { keyValueList, table } from "./table.ts";

const plain = (text: string) => stripVTControlCharacters(text).split("\n");

test("a table that fits is as wide as it needs to be", () => {
  expect(plain(table([{ name: "Ada", company: "Acme" }], { width: 80 }))).toEqual(["name  company", "Ada   Acme"]);
});

test("one that doesn't is cut to the terminal, whatever its letters are, and the whole column last", () => {
  const rows = [{ name: "李小龙".repeat(10), email: "bruce@example.com", company: "株式会社".repeat(10) }];
  const lines = plain(table(rows, { whole: "email", width: 50 }));
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(50);
  expect(lines[1]).toContain("bruce@example.com");
  expect(lines[1]).toContain("…");
});

test("a long fact goes on below itself", () => {
  const lines = plain(keyValueList({ words: "one two three four five six" }, 30));
  expect(lines).toEqual(["words  one two three four five", "       six"]);
});
