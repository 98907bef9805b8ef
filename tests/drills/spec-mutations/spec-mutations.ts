/**
 * `npm run drill -- spec-mutations [lines] [--stale]`: violates each line of the specification with a small change in a
 * copy of the project. One of the tests that docs/spec-coverage.md names for the line must fail an assertion. `--stale`
 * only lists the mutations whose code is gone, within a second.
 */
import { parseArgs } from "node:util";
import { saveResults } from "#tests/support/results.ts";
import { allTests, specCoverage } from "#tests/support/spec-coverage.ts";
import { findMutations } from "./find-mutations.ts";
import { MUTATIONS } from "./mutations.ts";
import { tryMutations } from "./try-mutations.ts";

/**
 * A missed mutation fails the drill, because no test catches it anymore. Stale mutations say nothing about the
 * product, and a refactoring may leave a few; but if more than a tenth are stale, the run proves too little.
 */
const MAX_STALE = 0.1;

const { values, positionals: chosen } = parseArgs({ allowPositionals: true, options: { stale: { type: "boolean" } } });
const isAll = chosen.length === 0;

const coverage = specCoverage();
const unknown = chosen.filter((line) => !coverage.some((covered) => covered.line === line));
if (unknown.length > 0) throw new Error(`docs/spec-coverage.md has no line ${unknown.join(", ")}`);
const bare = coverage.filter(({ line }) => !MUTATIONS.some((mutation) => mutation.line === line));
if (bare.length > 0) throw new Error(`No mutation violates line ${bare.map(({ line }) => line).join(", ")}`);

const existing = values.stale ? [] : allTests();
const testsOf = (line: string) => {
  const { titles = [] } = coverage.find((covered) => covered.line === line) ?? {};
  return existing.filter(({ title }) => titles.includes(title));
};
const mutations = MUTATIONS.filter(({ line }) => isAll || chosen.includes(line));
const { found, moved, stale } = findMutations(
  mutations.map(({ line, ...mutation }) => ({ ...mutation, tests: testsOf(line) })),
);
const isTrying = !values.stale && found.length > 0;
const { missed, untested } = isTrying ? await tryMutations(found) : { missed: [], untested: [] };
stale.push(...untested);

for (const { name, file } of moved) console.log(`moved   ${name}: now in ${file}`);
for (const { name, find, reason } of stale) console.log(`STALE   ${name}: ${JSON.stringify(find)} ${reason}`);
if (values.stale) {
  console.log(`stale ${stale.length}, moved ${moved.length} of ${mutations.length}`);
} else {
  const caught = mutations.length - missed.length - stale.length;
  console.log(`caught ${caught}, missed ${missed.length}, stale ${stale.length}`);
  // Only a full run is saved in results/.
  if (isAll) await saveResults("spec-mutations", { mutations: mutations.length, caught, missed, stale });
  process.exitCode = missed.length > 0 || stale.length > mutations.length * MAX_STALE ? 1 : 0;
}
