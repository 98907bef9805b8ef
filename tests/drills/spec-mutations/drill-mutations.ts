import { saveResults } from "#tests/support/results.ts";
import { findMutations, type TestedMutation } from "./find-mutations.ts";
import { tryMutations } from "./try-mutations.ts";

/**
 * A missed mutation fails the drill, because a test has lost its rule. A stale one says nothing about the product, and
 * a refactoring may leave a few. But a run that leaves out more than a tenth proves too little.
 */
const MAX_STALE = 0.1;

/** Tries the mutations and prints what came of them, or only lists the stale ones, which takes a second. */
export async function drillMutations(
  drill: string,
  mutations: TestedMutation[],
  { isListing, isAll }: { isListing: boolean; isAll: boolean },
): Promise<void> {
  const { found, moved, stale } = findMutations(mutations);
  const isTrying = !isListing && found.length > 0;
  const { missed, untested } = isTrying ? await tryMutations(found) : { missed: [], untested: [] };
  stale.push(...untested);

  for (const { name, file } of moved) console.log(`moved   ${name}: now in ${file}`);
  for (const { name, find, reason } of stale) console.log(`STALE   ${name}: ${JSON.stringify(find)} ${reason}`);
  if (isListing) {
    console.log(`stale ${stale.length}, moved ${moved.length} of ${mutations.length}`);
    return;
  }
  const caught = mutations.length - missed.length - stale.length;
  console.log(`caught ${caught}, missed ${missed.length}, stale ${stale.length}`);
  // The file in results/ is the record of a full run.
  if (isAll) await saveResults(drill, { mutations: mutations.length, caught, missed, stale });
  process.exitCode = missed.length > 0 || stale.length > mutations.length * MAX_STALE ? 1 : 0;
}
