import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// The result of select * changes with the table.
test("SQL statements name their columns instead of using select *", () => {
  const files = globSync("core/**/*.ts", { exclude: ["**/*.test.ts"] });
  expect(files.length).toBeGreaterThan(30);
  const starred = files.filter((file) => /\bselect\s+\*/i.test(readFileSync(file, "utf8")));
  expect(starred).toEqual([]);
});
