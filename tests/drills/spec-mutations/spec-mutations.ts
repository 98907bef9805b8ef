/**
 * `npm run drill -- spec-mutations [lines]`: violates each line of the specification with a small change in a copy of
 * the project. One of the tests that docs/spec-coverage.md names for the line must fail an assertion.
 */
import { saveResults } from "#tests/support/results.ts";
import { allTests, specCoverage } from "#tests/support/spec-coverage.ts";
import { MUTATIONS } from "./mutations.ts";
import { tryMutations } from "./try-mutations.ts";

const chosen = process.argv.slice(2);
const coverage = specCoverage();
const unknown = chosen.filter((line) => !coverage.some((covered) => covered.line === line));
if (unknown.length > 0) throw new Error(`docs/spec-coverage.md has no line ${unknown.join(", ")}`);
const lines = coverage.filter(({ line }) => chosen.length === 0 || chosen.includes(line));

const mutations = MUTATIONS.filter(({ line }) => lines.some((covered) => covered.line === line));
const existing = allTests();
const testsOf = (line: string) => {
  const { titles = [] } = lines.find((covered) => covered.line === line) ?? {};
  return existing.filter(({ title }) => titles.includes(title));
};

const missed = await tryMutations(
  mutations.map((mutation) => ({ ...mutation, name: mutation.line, tests: testsOf(mutation.line) })),
);

const caught = mutations.length - missed.length;
console.log(`${caught} of ${mutations.length} mutations of ${lines.length} lines caught`);
// results/spec-mutations.json is the record of a full run.
if (chosen.length === 0) {
  await saveResults("spec-mutations", { lines: lines.length, mutations: mutations.length, caught, missed });
}
process.exitCode = missed.length > 0 ? 1 : 0;
