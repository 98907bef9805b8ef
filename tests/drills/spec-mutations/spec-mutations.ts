/**
 * `npm run drill -- spec-mutations [lines]`: makes each line of the specification untrue by a small change in a copy of
 * the project, and wants a test that docs/spec-coverage.md names for it to fail by an assertion.
 */
import { readFileSync } from "node:fs";
import { saveResults } from "#tests/support/results.ts";
import { allTests, specCoverage } from "#tests/support/spec-coverage.ts";
import { type Lane, openLane } from "./lane.ts";
import { MUTATIONS, type Mutation, occurrences } from "./mutations.ts";
import { runTests } from "./run-tests.ts";

const LANES = 2;

const chosen = process.argv.slice(2);
const coverage = specCoverage();
const unknown = chosen.filter((line) => !coverage.some((covered) => covered.line === line));
if (unknown.length > 0) throw new Error(`docs/spec-coverage.md has no line ${unknown.join(", ")}`);
const lines = coverage.filter(({ line }) => chosen.length === 0 || chosen.includes(line));

const mutations = MUTATIONS.filter(({ line }) => lines.some((covered) => covered.line === line));
for (const { line, file, find } of mutations) {
  const found = occurrences(readFileSync(file, "utf8"), find);
  if (found !== 1) {
    throw new Error(`${line}: ${JSON.stringify(find)} occurs ${found} times in ${file}, not once: adapt mutations/`);
  }
}

const existing = allTests();
const testsOf = (line: string) => {
  const { titles = [] } = lines.find((covered) => covered.line === line) ?? {};
  return existing.filter(({ title }) => titles.includes(title));
};

/** Throws unless every named test passes when nothing is mutated. */
async function expectGreen(folder: string): Promise<void> {
  const tests = [...new Set(lines.flatMap(({ line }) => testsOf(line)))];
  const titles = new Set(lines.flatMap((covered) => covered.titles));
  const results = [];
  for (const runner of ["vitest", "playwright"] as const) {
    const own = tests.filter((test) => test.runner === runner);
    if (own.length > 0) results.push(...(await runTests(own, folder, LANES)));
  }
  const red = results.filter(({ outcome }) => outcome !== "passed");
  if (red.length > 0) {
    throw new Error(
      `Red without a mutation:\n${red.map(({ title, message }) => `${title}: ${message.slice(0, 500)}`).join("\n")}`,
    );
  }
  const ran = new Set(results.map(({ title }) => title));
  const missing = [...titles].filter((title) => !ran.has(title));
  if (missing.length > 0) throw new Error(`No such test:\n${missing.join("\n")}`);
  console.log(`green   ${results.length} tests without a mutation`);
}

const queue = [...mutations];
let isInterrupted = false;
// Ctrl-C reaches the tests that are running too; then the lanes close, with their databases.
process.once("SIGINT", () => {
  isInterrupted = true;
  queue.length = 0;
});

const missed: (Mutation & { reason: string })[] = [];

/** Takes mutations from the queue until it is empty. */
async function work(lane: Lane): Promise<void> {
  for (let mutation = queue.shift(); mutation; mutation = queue.shift()) {
    const started = performance.now();
    const reason = await lane.tryOut(mutation, testsOf(mutation.line));
    if (isInterrupted) return;
    const seconds = Math.round((performance.now() - started) / 1000);
    const { line, idea } = mutation;
    if (reason !== undefined) missed.push({ ...mutation, reason });
    const [verdict, why] = reason === undefined ? ["caught", ""] : ["MISSED", `: ${reason}`];
    console.log(`${verdict}  ${line.padEnd(4)}  ${idea} (${seconds} s)${why}`);
  }
}

const lanes: Lane[] = [];
try {
  for (let i = 0; i < LANES; i += 1) lanes.push(await openLane());
  await expectGreen(lanes[0]?.folder ?? "");
  await Promise.all(lanes.map(work));
} finally {
  await Promise.all(lanes.map((lane) => lane.close()));
}
if (isInterrupted) process.exit(130);

const caught = mutations.length - missed.length;
console.log(`${caught} of ${mutations.length} mutations of ${lines.length} lines caught`);
// results/spec-mutations.json is the record of a full run.
if (chosen.length === 0) {
  await saveResults("spec-mutations", { lines: lines.length, mutations: mutations.length, caught, missed });
}
process.exitCode = missed.length > 0 ? 1 : 0;
