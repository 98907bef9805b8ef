import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";

export interface NamedResult {
  name: string;
}

/** Writes into results/, which git ignores: the numbers are this machine's. */
export async function saveResults(name: string, results: object): Promise<void> {
  await mkdir("results", { recursive: true });
  await writeFile(`results/${name}.json`, JSON.stringify(results, null, 2));
}

/** Adds to the results of other runs in the same file, and replaces its own. */
export async function saveMerged(
  file: string,
  latest: NamedResult[],
  isReplaced?: (name: string) => boolean,
): Promise<void> {
  const path = `results/${file}.json`;
  const earlier: NamedResult[] = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
  await saveResults(file, mergeResults(earlier, latest, isReplaced));
}

/** Replaces results of the same name and those that the caller says; keeps the rest, in order. */
export function mergeResults(
  earlier: NamedResult[],
  latest: NamedResult[],
  isReplaced: (name: string) => boolean = () => false,
): NamedResult[] {
  const names = new Set(latest.map(({ name }) => name));
  return [...earlier.filter(({ name }) => !names.has(name) && !isReplaced(name)), ...latest];
}
