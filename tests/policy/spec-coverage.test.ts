import { expect, test } from "vitest";
import { allTests, specCoverage } from "#tests/support/spec-coverage.ts";
import { VISITORS } from "#tests/support/visitors.ts";

const covered = specCoverage();
const tests = allTests();

/** Spec lines that visitors don't see (request helpers, removed toasts), or only with WebGL at full speed. */
const WITHOUT_VISITORS = ["4.7", "4.9", "4.10", "4.11", "7.3", "7.6", "7.7", "7.8", "9.2", "9.10"];

test("docs/spec-coverage.md lists each of the 76 specification lines once", () => {
  expect(new Set(covered.map(({ line }) => line)).size).toBe(76);
  expect(covered).toHaveLength(76);
});

test("every test named in docs/spec-coverage.md exists", () => {
  const existing = new Set(tests.map(({ title }) => title));
  const named = covered.flatMap(({ line, titles }) => titles.map((title) => ({ line, title })));
  expect(named.filter(({ title }) => !existing.has(title))).toEqual([]);
});

test("at least three visitors run the tests of every line that a visitor can see", () => {
  const rarelySeen = covered.filter(({ titles }) => {
    const projects = tests.filter(({ title }) => titles.includes(title)).flatMap((test) => test.projects ?? []);
    return new Set(projects.filter((project) => project in VISITORS)).size < 3;
  });
  expect(rarelySeen.map(({ line }) => line)).toEqual(WITHOUT_VISITORS);
});
