/**
 * `npm run drill -- upgrade [people]`: from version 1.0.0 with a million people to this version, back and forward
 * again, server by server, while people sign up and mail is waiting.
 */
import { hasPassed, runControl } from "#tests/drills/faults/drill.ts";
import { saveResults } from "#tests/support/results.ts";
import { renamedColumn } from "./renamed-column.ts";
import { runUpgrade } from "./run-upgrade.ts";

const people = Number(process.argv[2] ?? 1_000_000);

const outcome = await runUpgrade({ people, seconds: 10, perSecond: 25, next: "." });
const { phases, failures, ...numbers } = outcome;
console.table(phases);
console.log({ people, ...numbers }, ...failures);
const { controlFailed } = await runControl(renamedColumn);
if (!controlFailed) console.log("The control, a renamed column, was not noticed");
const passed = hasPassed(outcome) && controlFailed;
const longestGapMs = phases.find(({ name }) => name === "migration")?.longestGapMs;
await saveResults("upgrade", {
  people,
  ...numbers,
  migrationGapMs: longestGapMs,
  phases,
  failures,
  controlFailed,
  passed,
});
console.log(passed ? "passed" : "FAILED");
process.exitCode = passed ? 0 : 1;
