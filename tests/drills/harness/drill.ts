import type { Change } from "./change-source.ts";
import type { Keep } from "./parts.ts";

/** A drill breaks something under load and shows that nothing acknowledged is lost. Its controls must fail. */
export interface Drill {
  breaks: string;
  shows: string;
  run: Run;
  controls: Control[];
}

/** Runs the drill without one safeguard, and must fail. */
export interface Control {
  without: string;
  /** The expected finding: something lost or duplicated, or a failure that matches. */
  finds: "lost" | "duplicated" | RegExp;
  /** Changes to the programs' source as it loads. */
  changes?: Change[];
  run: Run;
}

export type Run = (context: Context) => Promise<Outcome>;

export interface Outcome {
  /** Sign-ups that got a 201, or emails that had to arrive. */
  acknowledged: number;
  lost: number;
  /** Stored, counted or sent more often than allowed. */
  duplicated: number;
  /** Other numbers for the results. */
  figures?: Record<string, unknown>;
}

export interface Context {
  /** CI runs the short form; controls are always short. */
  size: "short" | "full";
  /** From the command line. */
  args: string[];
  /** Records the failure if the condition is false. */
  check: Check;
  /** Like check(), for speed: a failure is excused if the disk stalled. */
  checkSpeed: Check;
  keep: Keep;
}

export type Check = (condition: boolean, failure: string) => void;

/** Maximum time until sign-ups are accepted again once the fault is fixed. */
export const MAX_RECOVERY_MS = 10_000;
/** Maximum latency of any request during a fault. */
export const MAX_LATENCY_MS = 2000;
