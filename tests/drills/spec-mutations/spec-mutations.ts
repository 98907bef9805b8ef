/**
 * `npm run drill -- spec-mutations [lines] [--stale]`: violates each line of the specification with a small change in a
 * copy of the project. One of the tests that docs/spec-coverage.md names for the line must fail an assertion. `--stale`
 * only lists the mutations whose code is gone.
 */
import { parseArgs } from "node:util";
import { allTests, specCoverage } from "#tests/support/spec-coverage.ts";
import { drillMutations } from "./drill-mutations.ts";
import { MUTATIONS } from "./mutations.ts";

const { values, positionals: chosen } = parseArgs({ allowPositionals: true, options: { stale: { type: "boolean" } } });
const isListing = values.stale === true;
const isAll = chosen.length === 0;

const coverage = specCoverage();
const unknown = chosen.filter((line) => !coverage.some((covered) => covered.line === line));
if (unknown.length > 0) throw new Error(`docs/spec-coverage.md has no line ${unknown.join(", ")}`);
const bare = coverage.filter(({ line }) => !MUTATIONS.some((mutation) => mutation.line === line));
if (bare.length > 0) throw new Error(`No mutation violates line ${bare.map(({ line }) => line).join(", ")}`);

const existing = isListing ? [] : allTests();
const testsOf = (line: string) => {
  const { titles = [] } = coverage.find((covered) => covered.line === line) ?? {};
  return existing.filter(({ title }) => titles.includes(title));
};

const mutations = MUTATIONS.filter(({ line }) => isAll || chosen.includes(line));
await drillMutations(
  "spec-mutations",
  mutations.map(({ line, test, ...mutation }) => ({ ...mutation, tests: testsOf(line) })),
  { isListing, isAll },
);
