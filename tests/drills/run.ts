/** Runs the drills of a group, each with its controls: all of them, or those whose name contains one of the words. */
import { saveResults } from "#tests/support/results.ts";
import { GROUPS } from "./groups.ts";
import { type Result, runDrill } from "./harness/run-drill.ts";

const [group = "", ...args] = process.argv.slice(2);
const drills = (await GROUPS[group]?.()) ?? [];
const isChosen = (name: string) => drills.length === 1 || args.length === 0 || args.some((word) => name.includes(word));
const chosen = drills.filter(({ breaks }) => isChosen(breaks));
if (chosen.length === 0) {
  throw new Error(`No drill's name contains that. The drills are:\n${drills.map(({ breaks }) => breaks).join("\n")}`);
}

const results: Result[] = [];
for (const drill of chosen) {
  console.log(`${drill.breaks}: ${drill.shows}`);
  const result = await runDrill(drill, args);
  results.push(result);
  console.log(`  ${result.state}`, result.figures ?? "");
  for (const failure of [...result.failures, ...result.excused]) console.log(`  ${failure}`);
}
console.table(results.map(({ failures, excused, figures, ...row }) => row));
if (chosen.length === drills.length) await saveResults(group, results);
process.exitCode = results.some(({ state }) => state === "failed") ? 1 : 0;
