import { existsSync, globSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { occurrences } from "#tests/drills/harness/fragment.ts";
import type { FoundTest } from "#tests/support/spec-coverage.ts";
import type { Mutation } from "./mutations.ts";

/** A mutation and its tests, at least one of which must fail. */
export interface TestedMutation extends Mutation {
  tests: FoundTest[];
}

/** A mutation that couldn't be tried. */
export interface Stale extends Mutation {
  reason: string;
}

/** Separates stale mutations from the rest. Looks for moved code in all files of its top-level folder. */
export function findMutations(mutations: TestedMutation[]) {
  const found: TestedMutation[] = [];
  const moved: Mutation[] = [];
  const stale: Stale[] = [];
  for (const { tests, ...mutation } of mutations) {
    const { file, times } = placeOf(mutation);
    const lost = tests.find((test) => !existsSync(test.file));
    if (times !== 1) stale.push({ ...mutation, reason: `occurs ${times} times in ${file}` });
    else if (lost) stale.push({ ...mutation, reason: `is tested in ${lost.file}, which is gone` });
    else {
      found.push({ ...mutation, file, tests });
      if (file !== mutation.file) moved.push({ ...mutation, file });
    }
  }
  return { found, moved, stale };
}

function placeOf({ file, find }: Mutation): { file: string; times: number } {
  const count = (path: string) => occurrences(readFileSync(path, "utf8"), find);
  const times = existsSync(file) ? count(file) : 0;
  if (times > 0) return { file, times };
  const [other, ...more] = globSync(`${file.split("/")[0]}/**/*${extname(file)}`).filter(
    (path) => !path.endsWith(`.test${extname(file)}`) && count(path) > 0,
  );
  return other && more.length === 0 ? { file: other, times: count(other) } : { file, times };
}
