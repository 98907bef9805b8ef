import { watchDisk } from "./disk.ts";
import type { Context, Control, Drill, Outcome, Run } from "./drill.ts";
import { collectParts } from "./parts.ts";

interface Ran extends Outcome {
  failures: string[];
  /** Speed checks that failed while the disk stalled. */
  excused: string[];
}

export interface Result extends Ran {
  drill: string;
  /** Inconclusive if only speed checks failed and the disk stalled. */
  state: "passed" | "failed" | "inconclusive";
  /** Such as "2 of 2 failed". */
  controls: string;
}

/** A flush takes milliseconds, even on a busy disk. */
const STALL_MS = 1000;

/** Runs a drill, or one of its controls, and stops everything that it has started. */
export async function runOnce(run: Run, size: Context["size"], args: string[] = []): Promise<Ran> {
  const failures: string[] = [];
  const slow: string[] = [];
  const parts = collectParts();
  let outcome: Outcome = { acknowledged: 0, lost: 0, duplicated: 0 };
  try {
    const disk = await parts.keep(watchDisk());
    outcome = await run({
      size,
      args,
      keep: parts.keep,
      check: (condition, failure) => condition || failures.push(failure),
      checkSpeed: (condition, failure) => condition || slow.push(failure),
    });
    const stalledMs = disk.longestMs();
    if (stalledMs < STALL_MS) failures.push(...slow.splice(0));
    else if (slow.length > 0) slow.push(`the disk stood still for ${stalledMs} ms`);
  } catch (reason) {
    failures.push(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
  } finally {
    await parts.stop();
  }
  return { ...outcome, failures, excused: slow };
}

export function hasPassed({ acknowledged, lost, duplicated, failures }: Outcome & { failures: string[] }): boolean {
  return acknowledged > 0 && lost === 0 && duplicated === 0 && failures.length === 0;
}

/** Whether the control failed for the expected reason. Another failure may be unrelated to the safeguard. */
export async function runControl({ run, finds }: Control, args: string[] = []) {
  const ran = await runOnce(run, "short", args);
  const all = [...ran.failures, ...ran.excused];
  const isFound = finds instanceof RegExp ? all.some((failure) => finds.test(failure)) : ran[finds] > 0;
  return { hasFailed: isFound && ran.acknowledged > 0, ran };
}

export async function runDrill({ breaks, run, controls }: Drill, args: string[]): Promise<Result> {
  const ran = await runOnce(run, "full", args);
  // A failed drill has shown that it notices. Its controls would overwrite its logs.
  const followed = hasPassed(ran) ? controls : [];
  let controlsFailed = 0;
  for (const control of followed) {
    const { hasFailed, ran: found } = await runControl(control, args);
    if (hasFailed) controlsFailed += 1;
    else ran.failures.push(`noticed nothing without ${control.without}: ${JSON.stringify(found)}`);
  }
  const passed = ran.excused.length > 0 ? "inconclusive" : "passed";
  return {
    drill: breaks,
    state: hasPassed(ran) ? passed : "failed",
    ...ran,
    controls: `${controlsFailed} of ${followed.length} failed`,
  };
}
