import { readFileSync } from "node:fs";
import { median } from "#tests/support/quantile.ts";

interface Sample {
  /** How much of the run is over, from 0 to 1, or a little more if its last step took longer. */
  at: number;
  mb: number;
}

/** The resident memory of each process, by its role: a process that replaces another continues its row. */
export type Memory = Map<string, Sample[]>;

export function sampleMemory(memory: Memory, at: number, pids: Record<string, number | undefined>): void {
  for (const [role, pid] of Object.entries(pids)) {
    const mb = pid && residentMb(pid);
    if (mb) memory.set(role, [...(memory.get(role) ?? []), { at, mb }]);
  }
}

/** Undefined if the process has just ended. */
function residentMb(pid: number): number | undefined {
  try {
    const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kb ? Number(kb) / 1024 : undefined;
  } catch {
    return undefined;
  }
}

export interface Growth {
  role: string;
  quarterMb: number;
  endMb: number;
  growthMb: number;
}

/** Between two garbage collections, a mail worker's memory varies by 80 MB. A tenth of the run has several of them. */
const WINDOW = 0.1;

/** From a quarter of the run, when everything is loaded, to its end. */
export function memoryGrowth(memory: Memory): Growth[] {
  return [...memory].map(([role, samples]) => {
    const quarterMb = medianBetween(samples, 0.25 - WINDOW / 2, 0.25 + WINDOW / 2);
    const endMb = medianBetween(samples, 1 - WINDOW, Number.POSITIVE_INFINITY);
    return { role, quarterMb, endMb, growthMb: endMb - quarterMb };
  });
}

function medianBetween(samples: Sample[], from: number, to: number): number {
  return Math.round(median(samples.filter(({ at }) => at >= from && at <= to).map(({ mb }) => mb)));
}
