import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { formatKeyValueList, formatTable } from "./table.ts";

const plain = (text: string) => stripVTControlCharacters(text).split("\n");

test("a table is as wide as its content, in which some characters take two columns", () => {
  const rows = [
    { name: "Ada", company: "Acme" },
    { name: "李小龙", company: "" },
  ];
  expect(plain(formatTable(rows))).toEqual(["name    company", "Ada     Acme", "李小龙"]);
});

test("a long value wraps and stays aligned with its first line", () => {
  const lines = plain(formatKeyValueList({ words: "one two three four five six" }, 30));
  expect(lines).toEqual(["words  one two three four five", "       six"]);
});
