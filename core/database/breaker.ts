import { randomUUID } from "node:crypto";
import { CircuitOpen, isOutage } from "./faults.ts";

export interface BreakerOptions {
  /** Whether a write would be durable now. Errors that aren't outages count as yes: the database responded. */
  probe: () => Promise<boolean>;
  /** All responses that fail because of the outage return its id. */
  onOutage?: (reason: Error, id: string) => void;
  onRecovery?: (seconds: number) => void;
}

export type Breaker = ReturnType<typeof createBreaker>;

const PROBE_INTERVAL_MS = 500;
/** Failures this close together count as one outage, because on a full disk, probes succeed while sign-ups fail. */
const SETTLE_MS = 5000;

/**
 * A circuit breaker. The first query that fails because of an outage opens the circuit, a successful probe closes it.
 * Without a breaker, each write that times out while a synchronous standby is down would leave a connection stuck.
 */
export function createBreaker({ probe, onOutage = () => {}, onRecovery = () => {} }: BreakerOptions) {
  let circuit: "closed" | "open" | "stopped" = "closed";
  let outageStartedAt: number | undefined;
  let outageId = "";
  /** Starts the next probe, or declares the outage over. */
  let timer: NodeJS.Timeout | undefined;

  function open(reason: Error): void {
    clearTimeout(timer);
    circuit = "open";
    if (outageStartedAt === undefined) {
      outageStartedAt = performance.now();
      outageId = randomUUID();
      onOutage(reason, outageId);
    }
    probeRepeatedly();
  }

  /** Runs one probe at a time: each starts after the last one has ended. */
  async function probeRepeatedly(): Promise<void> {
    const isDurable = await probe().catch((reason) => !isOutage(reason));
    if (circuit === "stopped") return;
    if (isDurable) close();
    else timer = setTimeout(probeRepeatedly, PROBE_INTERVAL_MS).unref();
  }

  function close(): void {
    circuit = "closed";
    const seconds = (performance.now() - (outageStartedAt ?? 0)) / 1000;
    timer = setTimeout(() => {
      outageStartedAt = undefined;
      onRecovery(seconds);
    }, SETTLE_MS).unref();
  }

  /** If the reason is an outage, opens the circuit and returns true, so that the caller needn't log it. */
  function report(reason: unknown): boolean {
    if (!isOutage(reason)) return false;
    if (circuit === "closed" && !(reason instanceof CircuitOpen)) open(reason as Error);
    return true;
  }

  /** Runs even while the circuit is open, because reads don't wait for a standby. */
  async function read<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (reason) {
      report(reason);
      throw reason;
    }
  }

  return {
    async write<Result>(work: () => Promise<Result>): Promise<Result> {
      if (circuit === "open") throw new CircuitOpen();
      return read(work);
    },
    read,
    report,
    isUp: () => outageStartedAt === undefined,
    outageId: () => (outageStartedAt === undefined ? undefined : outageId),
    stop() {
      circuit = "stopped";
      clearTimeout(timer);
    },
  };
}
