import { mkdir, writeFile } from "node:fs/promises";

/** Into results/, which is nobody's but the machine's that measured it. */
export async function saveResults(name: string, results: object): Promise<void> {
  await mkdir("results", { recursive: true });
  await writeFile(`results/${name}.json`, JSON.stringify(results, null, 2));
}
