/**
 * `npm run drill -- faults`: breaks what the service stands on, one thing at a time, and counts what is lost by it. With words
 * behind it, only the drills whose name has one of them.
 */
import { saveResults } from "#tests/support/results.ts";
import { hasPassed } from "./drill.ts";
import {
  fillDisk,
  freezePostgres,
  holdConnections,
  killPostgres,
  slowPostgres,
  stopPostgres,
} from "./postgres-drills.ts";
import { idleConnections, overload, slowConnections } from "./pressure-drills.ts";
import { breakRedis } from "./redis-drills.ts";
import { replaceBuild } from "./replacement-drill.ts";
import { killServers, rollingRestart, wrongClocks } from "./server-drills.ts";
import { failOver } from "./standby-drill.ts";

const drills = [
  killPostgres(20),
  killServers(20),
  stopPostgres(60),
  slowPostgres(10),
  freezePostgres(10),
  holdConnections,
  fillDisk,
  failOver(5),
  breakRedis("SIGKILL"),
  breakRedis("SIGSTOP"),
  rollingRestart(5),
  replaceBuild(10),
  overload(10),
  slowConnections(4000, 15),
  idleConnections(5000, 15),
  wrongClocks,
];
const words = process.argv.slice(2);
const chosen = words.length ? drills.filter(({ name }) => words.some((word) => name.includes(word))) : drills;

if (chosen.length === 0)
  throw new Error(`No drill is called that. There are:\n${drills.map(({ name }) => name).join("\n")}`);

const results = [];
for (const { name, run, control } of chosen) {
  const outcome = await run();
  const { acknowledged, lost, duplicated, broken } = outcome;
  const controlFailed = await control();
  const passed = hasPassed(outcome) && controlFailed;
  results.push({ drill: name, acknowledged, lost, duplicated, controlFailed, passed });
  console.log(`${passed ? "passed" : "FAILED"}  ${name}${broken.length ? `: ${broken.join("; ")}` : ""}`);
}
console.table(results);
// Some of them are no record of all.
if (chosen === drills) await saveResults("faults", results);
const failures = results.filter(({ passed }) => !passed).length;
console.log(`${results.length - failures} passed, ${failures} failed`);
process.exitCode = failures ? 1 : 0;
