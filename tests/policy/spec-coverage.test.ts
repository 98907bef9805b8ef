import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MUTATIONS, occurrences } from "#tests/drills/spec-mutations/mutations.ts";
import { allTests, specCoverage } from "#tests/support/spec-coverage.ts";

const covered = specCoverage();

test("docs/spec-coverage.md lists each of the 76 specification lines once", () => {
  expect(new Set(covered.map(({ line }) => line)).size).toBe(76);
  expect(covered).toHaveLength(76);
});

test("every test named in docs/spec-coverage.md exists", () => {
  const existing = new Set(allTests().map(({ title }) => title));
  const named = covered.flatMap(({ line, titles }) => titles.map((title) => ({ line, title })));
  expect(named.filter(({ title }) => !existing.has(title))).toEqual([]);
});

test("every specification line has a mutation, whose text occurs once in the product", () => {
  expect([...new Set(MUTATIONS.map(({ line }) => line))].sort()).toEqual(covered.map(({ line }) => line).sort());
  const lost = MUTATIONS.filter(({ file, find }) => occurrences(readFileSync(file, "utf8"), find) !== 1);
  expect(lost).toEqual([]);
});
