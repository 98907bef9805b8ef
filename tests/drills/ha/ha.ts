/**
 * `npm run drill -- ha [rounds] [words]`: the cluster of deploy/ha/ on loopback, whose machines die, freeze and change
 * roles under load. Needs Debian's patroni, etcd-server, haproxy and postgresql-15, and root. With a number, runs that
 * many rounds of each drill; with words, only the drills whose name contains one of them. The results are added to
 * those of `npm run drill -- faults`.
 */
import { HA_PREFIX, hasPassed } from "#tests/drills/faults/drill.ts";
import { quantile } from "#tests/support/quantile.ts";
import { saveMerged } from "#tests/support/results.ts";
import { controls, type HaControl } from "./controls.ts";
import { runRounds } from "./run-rounds.ts";

interface Result {
  name: string;
  passed: boolean;
  acknowledged: number;
  lost: number;
  duplicated: number;
  controlFailed: boolean;
  writesBackMs: { median: number; worst: number };
}

/** Some of the controls are races. */
const MAX_CONTROL_RUNS = 3;

const drills = [...controls.keys()];
const args = process.argv.slice(2);
const rounds = args.map(Number).find(Number.isInteger);
const words = args.filter((arg) => !Number.isInteger(Number(arg)));
const chosen = drills.filter(({ name }) => !words.length || words.some((word) => name.includes(word)));
if (chosen.length === 0)
  throw new Error(`No drill's name contains that. The drills are:\n${drills.map((each) => each.name).join("\n")}`);

const results: Result[] = [];
for (const disruption of chosen) {
  const times = rounds ?? disruption.rounds;
  const name = `${HA_PREFIX}${disruption.name}, ${times} times`;
  console.log(name);
  const outcome = await runRounds(disruption, times);
  const { acknowledged, lost, duplicated, failures, gapsMs } = outcome;
  console.log(
    `  ${acknowledged} acknowledged, ${lost} lost, ${duplicated} duplicated, ${failures.length} failures; now the control`,
  );
  const controlFailed = await losesSignUps(controls.get(disruption));
  const passed = hasPassed(outcome) && controlFailed;
  const writesBackMs = { median: quantile(gapsMs, 0.5), worst: Math.max(...gapsMs) };
  results.push({ name, passed, acknowledged, lost, duplicated, controlFailed, writesBackMs });
  await saveMerged("faults", results);
  console.log(`${passed ? "passed" : "FAILED"}  ${name}${failures.length ? `: ${failures.join("; ")}` : ""}`);
}
console.table(results.map(({ writesBackMs, ...result }) => ({ ...result, ...writesBackMs })));
const failed = results.filter(({ passed }) => !passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

async function losesSignUps(control: HaControl | undefined): Promise<boolean> {
  if (!control) return false;
  for (let attempt = 0; attempt < MAX_CONTROL_RUNS; attempt += 1) {
    const { lost, failures } = await runRounds(control.disruption, control.rounds ?? 1, control.options);
    console.log(`  control: ${lost} lost; ${failures.join("; ")}`);
    if (lost > 0) return true;
  }
  return false;
}
