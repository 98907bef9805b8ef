import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("statements name their columns: no select *, whose meaning changes with the table", () => {
  const files = globSync("core/**/*.ts", { exclude: ["**/*.test.ts"] });
  expect(files.length).toBeGreaterThan(30);
  const starred = files.filter((file) => /\bselect\s+\*/i.test(readFileSync(file, "utf8")));
  expect(starred).toEqual([]);
});
