import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { type WriteGap, watchWriteGap } from "#tests/drills/ha/write-gap.ts";

export interface Visitors {
  acknowledged: ReadonlySet<string>;
  /** How often each failure was seen. */
  failures: Map<string, number>;
  watchGap(): WriteGap;
  /** Waits until sign-ups are acknowledged, not only those that were in flight. */
  untilBack(): Promise<void>;
  stop(): Promise<void>;
}

const TIMEOUT_MS = 120_000;
const MORE_THAN_IN_FLIGHT = 10;

/** Sign-ups on all machines, from their network. */
export function startVisitors(namespace: string, addresses: string[]): Visitors {
  const script = "tests/drills/ha-machines/visitor.ts";
  const visitor = spawn("ip", ["netns", "exec", namespace, process.execPath, script, ...addresses], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(visitor, "exit");
  const acknowledged = new Set<string>();
  const failures = new Map<string, number>();
  createInterface(visitor.stdout).on("line", (line) => {
    const email = /^acknowledged (.+)$/.exec(line)?.[1];
    if (email) acknowledged.add(email);
    else failures.set(line, (failures.get(line) ?? 0) + 1);
  });
  return {
    acknowledged,
    failures,
    watchGap: () => watchWriteGap({ acknowledged }),
    async untilBack() {
      const enough = acknowledged.size + MORE_THAN_IN_FLIGHT;
      for (const startedAt = performance.now(); acknowledged.size < enough; await pause(50))
        if (performance.now() - startedAt > TIMEOUT_MS)
          throw new Error(`No sign-ups for ${TIMEOUT_MS / 1000} s: ${JSON.stringify([...failures])}`);
    },
    async stop() {
      visitor.kill();
      await exited;
    },
  };
}
