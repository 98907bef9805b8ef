import type { FoundTest } from "#tests/support/spec-coverage.ts";
import type { Stale, TestedMutation } from "./find-mutations.ts";
import { type Lane, openLane } from "./lane.ts";
import type { Mutation } from "./mutations.ts";
import { runTests } from "./run-tests.ts";

const LANES = 2;

interface Missed extends Mutation {
  reason: string;
}

/** Tries each mutation in a copy of the project, and returns those that no test caught, and those without a test. */
export async function tryMutations(mutations: TestedMutation[]): Promise<{ missed: Missed[]; untested: Stale[] }> {
  const queue: TestedMutation[] = [];
  let isInterrupted = false;
  // Ctrl-C also ends the running tests. Then the lanes close, with their databases.
  process.once("SIGINT", () => {
    isInterrupted = true;
  });

  const missed: Missed[] = [];
  const untested: Stale[] = [];

  /** Takes mutations from the queue until it is empty. */
  async function work(lane: Lane): Promise<void> {
    for (let mutation = queue.shift(); mutation && !isInterrupted; mutation = queue.shift()) {
      const started = performance.now();
      const { tests, ...change } = mutation;
      const reason = await lane.tryOut(change, tests);
      if (isInterrupted) return;
      const seconds = Math.round((performance.now() - started) / 1000);
      if (reason !== undefined) missed.push({ ...change, reason });
      const [verdict, why] = reason === undefined ? ["caught", ""] : ["MISSED", `: ${reason}`];
      console.log(`${verdict}  ${change.name}  (${change.file}, ${seconds} s)${why}`);
    }
  }

  const lanes: Lane[] = [];
  try {
    for (let i = 0; i < LANES; i += 1) lanes.push(await openLane());
    const ran = await expectGreen(lanes[0]?.folder ?? "", [...new Set(mutations.flatMap(({ tests }) => tests))]);
    for (const { tests, ...change } of mutations) {
      if (tests.some(({ title }) => ran.has(title))) queue.push({ ...change, tests });
      else untested.push({ ...change, reason: `has no test: ${tests.map(({ title }) => title).join(", ")}` });
    }
    await Promise.all(lanes.map(work));
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
  if (isInterrupted) process.exit(130);
  return { missed, untested };
}

/** Returns the titles of the tests that exist. Throws unless all of them pass without a mutation. */
async function expectGreen(folder: string, tests: FoundTest[]): Promise<Set<string>> {
  const results = [];
  for (const runner of ["vitest", "playwright"] as const) {
    const own = tests.filter((test) => test.runner === runner);
    if (own.length === 0) continue;
    const first = await runTests(own, folder, { workers: LANES });
    // On a busy machine, some tests time out, so those run again, one at a time.
    const isDecided = ({ title }: FoundTest) =>
      first.some((result) => result.title === title && result.outcome !== "broken");
    const slow = own.filter((test) => !isDecided(test));
    const second = slow.length > 0 ? await runTests(slow, folder, { workers: 1 }) : [];
    results.push(...first.filter(({ outcome }) => outcome !== "broken"), ...second);
  }
  const red = results.filter(({ outcome }) => outcome !== "passed");
  if (red.length > 0) {
    throw new Error(
      `Red without a mutation:\n${red.map(({ title, message }) => `${title}: ${message.slice(0, 500)}`).join("\n")}`,
    );
  }
  console.log(`green   ${results.length} tests without a mutation`);
  return new Set(results.map(({ title }) => title));
}
