import type { Change } from "./change-source.ts";
import type { Keep } from "./parts.ts";

/** A drill breaks something under load, shows that nothing acknowledged is lost, and has controls that must fail. */
export interface Drill {
  breaks: string;
  shows: string;
  run: Run;
  controls: Control[];
}

/** The same drill without one safeguard, which it must notice. */
export interface Control {
  without: string;
  /** What it must find: something lost or duplicated, or this failure. */
  finds: "lost" | "duplicated" | RegExp;
  /** What is changed in the programs' source as they load. */
  changes?: Change[];
  run: Run;
}

export type Run = (context: Context) => Promise<Outcome>;

export interface Outcome {
  /** Sign-ups that got a 201, or mails that had to arrive. */
  acknowledged: number;
  lost: number;
  /** There, counted or sent more often than allowed. */
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
  /** The same for how fast something is, which is not held against the product if the disk stood still. */
  checkSpeed: Check;
  keep: Keep;
}

export type Check = (condition: boolean, failure: string) => void;

/** How soon sign-ups must be accepted again after the fault is fixed. */
export const MAX_RECOVERY_MS = 10_000;
/** The longest that any request may take during a fault. */
export const MAX_LATENCY_MS = 2000;
