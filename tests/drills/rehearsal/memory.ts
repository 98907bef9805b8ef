import { readFileSync } from "node:fs";

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

/** Single samples vary with the garbage collector. */
const SAMPLES = 5;

/** From a quarter of the run, when everything is loaded, to its end. */
export function memoryGrowth(memory: Memory): Growth[] {
  return [...memory].map(([role, samples]) => {
    const nearestFirst = samples.toSorted((a, b) => Math.abs(a.at - 0.25) - Math.abs(b.at - 0.25));
    const quarterMb = mean(nearestFirst.slice(0, SAMPLES));
    const endMb = mean(samples.slice(-SAMPLES));
    return { role, quarterMb, endMb, growthMb: endMb - quarterMb };
  });
}

function mean(samples: Sample[]): number {
  return Math.round(samples.reduce((sum, { mb }) => sum + mb, 0) / samples.length);
}
