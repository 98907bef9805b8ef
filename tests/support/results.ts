import { mkdir, writeFile } from "node:fs/promises";

/** Writes into results/, which git ignores, because the numbers depend on the machine. */
export async function saveResults(name: string, results: object): Promise<void> {
  await mkdir("results", { recursive: true });
  await writeFile(`results/${name}.json`, JSON.stringify(results, null, 2));
}
