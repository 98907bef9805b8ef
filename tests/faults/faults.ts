/** `npm run faults`: breaks what the service stands on, one thing at a time, and counts what is lost by it. */
import { saveResults } from "#bench/results.ts";
import { breakRedis, freezePostgres, holdConnections, killPostgres, stopPostgres } from "./drills.ts";

const drills = [
  killPostgres(20),
  stopPostgres(60),
  freezePostgres(10),
  holdConnections,
  breakRedis("SIGKILL"),
  breakRedis("SIGSTOP"),
];

const results = [];
for (const { name, run, control } of drills) {
  const { acknowledged, lost, duplicated, broken } = await run();
  const controlFailed = (await control()).lost > 0;
  const passed = acknowledged > 0 && lost === 0 && duplicated === 0 && broken.length === 0 && controlFailed;
  results.push({ drill: name, acknowledged, lost, duplicated, controlFailed, passed });
  console.log(`${passed ? "passed" : "FAILED"}  ${name}${broken.length ? `: ${broken.join("; ")}` : ""}`);
}
console.table(results);
await saveResults("faults", results);
const failures = results.filter(({ passed }) => !passed).length;
console.log(`${results.length - failures} passed, ${failures} failed`);
process.exitCode = failures ? 1 : 0;
