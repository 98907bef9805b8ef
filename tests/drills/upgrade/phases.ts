import { countUnexpected, type Ledger } from "#tests/drills/faults/clients.ts";

export interface Phase {
  name: string;
  seconds: number;
  /** Sign-ups that weren't acknowledged. */
  failed: number;
  /** The longest time between two acknowledged sign-ups. */
  longestGapMs: number;
}

/** Records what clients see in each phase of a drill. */
export function trackPhases(ledger: Ledger) {
  const phases: Phase[] = [];
  return {
    phases,
    async phase(name: string, work: () => Promise<unknown>): Promise<Phase> {
      const [startedAt, failedBefore] = [performance.now(), countUnexpected(ledger, [201])];
      await work();
      const endedAt = performance.now();
      const phase = {
        name,
        seconds: Math.round(endedAt - startedAt) / 1000,
        failed: countUnexpected(ledger, [201]) - failedBefore,
        longestGapMs: Math.round(longestGap(ledger.acknowledgedAt, startedAt, endedAt)),
      };
      phases.push(phase);
      return phase;
    },
  };
}

function longestGap(times: number[], from: number, to: number): number {
  let [longest, last] = [0, from];
  for (const time of [...times.filter((at) => at > from && at < to).sort((a, b) => a - b), to]) {
    longest = Math.max(longest, time - last);
    last = time;
  }
  return longest;
}
