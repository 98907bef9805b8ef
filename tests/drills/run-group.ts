import { saveResults } from "#tests/support/results.ts";
import { GROUPS } from "./groups.ts";
import { type Result, runDrill } from "./harness/run-drill.ts";

/** Runs a group's drills with their controls: all, or those whose name contains one of the words. */
export async function runGroup(group: string, args: string[]): Promise<void> {
  const drills = (await GROUPS[group]?.()) ?? [];
  const isAll = drills.length === 1 || args.length === 0;
  const chosen = drills.filter(({ breaks }) => isAll || args.some((word) => breaks.includes(word)));
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
  if (isAll) await saveResults(group, results);
  process.exitCode = results.some(({ state }) => state === "failed") ? 1 : 0;
}
