import { saveResults } from "#tests/support/results.ts";
import { findMutations, type TestedMutation } from "./find-mutations.ts";
import { tryMutations } from "./try-mutations.ts";

/**
 * A missed mutation fails the drill, because no test catches it anymore. Stale mutations say nothing about the
 * product, and a refactoring may leave a few; but if more than a tenth are stale, the run proves too little.
 */
const MAX_STALE = 0.1;

/** Tries the mutations and prints the results, or only lists the stale ones, within a second. */
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
  // Only a full run is saved in results/.
  if (isAll) await saveResults(drill, { mutations: mutations.length, caught, missed, stale });
  process.exitCode = missed.length > 0 || stale.length > mutations.length * MAX_STALE ? 1 : 0;
}
