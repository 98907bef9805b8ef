import { readFileSync } from "node:fs";
import type { FoundTest } from "#tests/support/spec-coverage.ts";
import { type Lane, openLane } from "./lane.ts";
import { type Mutation, occurrences } from "./mutations.ts";
import { runTests } from "./run-tests.ts";

const LANES = 2;

/** A mutation and its tests, at least one of which must fail. */
interface NamedMutation extends Mutation {
  name: string;
  tests: FoundTest[];
}

interface Missed extends Mutation {
  name: string;
  reason: string;
}

/** Tries each mutation in a copy of the project, and returns those that no test caught. */
export async function tryMutations(mutations: NamedMutation[]): Promise<Missed[]> {
  for (const { name, file, find } of mutations) {
    const found = occurrences(readFileSync(file, "utf8"), find);
    if (found !== 1) {
      throw new Error(`${name}: ${JSON.stringify(find)} occurs ${found} times in ${file}, not once: adapt the list`);
    }
  }

  const queue = [...mutations];
  let isInterrupted = false;
  // Ctrl-C also reaches the running tests; then the lanes close, along with their databases.
  process.once("SIGINT", () => {
    isInterrupted = true;
    queue.length = 0;
  });

  const missed: Missed[] = [];

  /** Takes mutations from the queue until it is empty. */
  async function work(lane: Lane): Promise<void> {
    for (let mutation = queue.shift(); mutation; mutation = queue.shift()) {
      const started = performance.now();
      const { tests, ...change } = mutation;
      const reason = await lane.tryOut(change, tests);
      if (isInterrupted) return;
      const seconds = Math.round((performance.now() - started) / 1000);
      const { name, file, find } = change;
      if (reason !== undefined) missed.push({ ...change, reason });
      const [verdict, why] = reason === undefined ? ["caught", ""] : ["MISSED", `: ${reason}`];
      console.log(`${verdict}  ${name.padEnd(4)}  ${file}, ${JSON.stringify(find)} (${seconds} s)${why}`);
    }
  }

  const lanes: Lane[] = [];
  try {
    for (let i = 0; i < LANES; i += 1) lanes.push(await openLane());
    await expectGreen(lanes[0]?.folder ?? "", [...new Set(mutations.flatMap(({ tests }) => tests))]);
    await Promise.all(lanes.map(work));
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
  if (isInterrupted) process.exit(130);
  return missed;
}

/** Throws unless every test passes when nothing is mutated. */
async function expectGreen(folder: string, tests: FoundTest[]): Promise<void> {
  const results = [];
  for (const runner of ["vitest", "playwright"] as const) {
    const own = tests.filter((test) => test.runner === runner);
    if (own.length === 0) continue;
    const first = await runTests(own, folder, LANES);
    // On a busy machine some tests time out. Those run again, one at a time.
    const isDecided = ({ title }: FoundTest) =>
      first.some((result) => result.title === title && result.outcome !== "broken");
    const slow = own.filter((test) => !isDecided(test));
    const second = slow.length > 0 ? await runTests(slow, folder, 1) : [];
    results.push(...first.filter(({ outcome }) => outcome !== "broken"), ...second);
  }
  const red = results.filter(({ outcome }) => outcome !== "passed");
  if (red.length > 0) {
    throw new Error(
      `Red without a mutation:\n${red.map(({ title, message }) => `${title}: ${message.slice(0, 500)}`).join("\n")}`,
    );
  }
  const ran = new Set(results.map(({ title }) => title));
  const missing = new Set(tests.map(({ title }) => title).filter((title) => !ran.has(title)));
  if (missing.size > 0) throw new Error(`No such test:\n${[...missing].join("\n")}`);
  console.log(`green   ${results.length} tests without a mutation`);
}
