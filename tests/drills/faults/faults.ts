/**
 * `npm run drill -- faults [words]`: breaks the service's dependencies one at a time under load, and counts lost and
 * duplicated sign-ups. With words, runs only the drills whose name contains one of them.
 */
import { saveMerged } from "#tests/support/results.ts";
import { cancelWaits } from "./canceled-waits-drill.ts";
import { rollingDeploy } from "./deploy-drill.ts";
import { fillDisk } from "./disk-drill.ts";
import { HA_PREFIX, hasPassed, runControl } from "./drill.ts";
import { exhaustConnections, freezePostgres, killPostgres, slowPostgres, stopPostgres } from "./postgres-drills.ts";
import { idleConnections, overload, slowConnections } from "./pressure-drills.ts";
import { breakRedis } from "./redis-drills.ts";
import { clockSkew, killServers, rollingRestart } from "./server-drills.ts";
import { failOver } from "./standby-drill.ts";

const drills = [
  killPostgres(20),
  killServers(20),
  stopPostgres(60),
  slowPostgres(10),
  freezePostgres(10),
  exhaustConnections,
  fillDisk,
  failOver(5),
  cancelWaits(3),
  breakRedis("SIGKILL"),
  breakRedis("SIGSTOP"),
  rollingRestart(5),
  rollingDeploy(10),
  overload(10),
  slowConnections(4000, 15),
  idleConnections(5000, 15),
  clockSkew,
];
const words = process.argv.slice(2);
const chosen = words.length ? drills.filter(({ name }) => words.some((word) => name.includes(word))) : drills;

if (chosen.length === 0)
  throw new Error(`No drill's name contains that. The drills are:\n${drills.map(({ name }) => name).join("\n")}`);

const results = [];
for (const { name, run, controls } of chosen) {
  const outcome = await run();
  const { acknowledged, lost, duplicated, failures } = outcome;
  let controlFailed = controls.length > 0;
  for (const control of controls) {
    const { controlFailed: failed } = await runControl(control);
    controlFailed &&= failed;
    if (!failed) failures.push(`noticed nothing without ${control.without}`);
  }
  const passed = hasPassed(outcome) && controlFailed;
  results.push({ name, passed, acknowledged, lost, duplicated, controlFailed });
  console.log(`${passed ? "passed" : "FAILED"}  ${name}${failures.length ? `: ${failures.join("; ")}` : ""}`);
}
console.table(results);
// results/faults.json is the record of a full run, and of `npm run drill -- ha`.
if (chosen === drills) await saveMerged("faults", results, (name) => !name.startsWith(HA_PREFIX));
const failed = results.filter(({ passed }) => !passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
