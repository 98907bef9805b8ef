import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RULES } from "#tests/drills/rule-mutations/rules.ts";
import { occurrences } from "#tests/drills/spec-mutations/mutations.ts";

test("each rule's mutation applies exactly once, and its test exists", () => {
  const lost = RULES.filter(
    ({ file, find, test }) =>
      !existsSync(file) || occurrences(readFileSync(file, "utf8"), find) !== 1 || !existsSync(test.file),
  );
  expect(lost).toEqual([]);
  expect(RULES.length).toBeGreaterThanOrEqual(60);
});
