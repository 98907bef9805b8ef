import { readFileSync } from "node:fs";
import fc from "fast-check";
import { exchange } from "#tests/support/exchange.ts";
import { runLoad } from "#tests/support/load.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { anyBytes, anyRequest } from "./cases.ts";

export interface Fuzzed {
  /** How many responses had each status; 0 stands for a connection closed without one, as invalid HTTP may be. */
  statuses: Map<number, number>;
  /** How much the server's resident memory grew, in MB, after time for garbage collection. */
  grownMb: number;
  /** The server's whole log. */
  log: string;
}

/** Cases are generated in batches of this size. */
const BATCH_SIZE = 1000;
/** The share of cases that are raw bytes rather than well-formed HTTP. */
const RAW_SHARE = 0.05;

/** Sends malformed requests to a real server. Rejects if the server crashes. */
export async function fuzz(databaseUrl: string, cases: number): Promise<Fuzzed> {
  const server = await startServer({
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: "trace",
    LIMIT_PER_CLIENT: "1000000000",
    LIMIT_PER_ADDRESS: "1000000000",
  });
  const port = Number(new URL(server.origin).port);
  const statuses = new Map<number, number>();
  const count = (status: number, times = 1) => statuses.set(status, (statuses.get(status) ?? 0) + times);

  async function runBatch(): Promise<void> {
    const wires = fc.sample(anyRequest, BATCH_SIZE * (1 - RAW_SHARE));
    const result = await runLoad({
      ports: [port],
      connections: 16,
      next: () => {
        const wire = wires.pop();
        return wire === undefined ? undefined : { wire };
      },
    });
    for (const [status, times] of result.statuses) count(status, times);
    await Promise.all(
      fc.sample(anyBytes, BATCH_SIZE * RAW_SHARE).map(async (bytes) => count(await statusOf(server.origin, bytes))),
    );
  }

  try {
    // Warm up first: V8 grows its heap until collections are rare, which is not a leak.
    const warmUp = Math.max(10_000, cases / 10);
    for (let done = 0; done < warmUp; done += BATCH_SIZE) await runBatch();
    const before = residentMb(server.pid);
    for (let done = warmUp; done < cases; done += BATCH_SIZE) await runBatch();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    return { statuses, grownMb: residentMb(server.pid) - before, log: server.log() };
  } finally {
    await server.stop();
  }
}

/** The status of the response to raw bytes, or 0 if there is none. */
async function statusOf(origin: string, bytes: string): Promise<number> {
  const received = await exchange(origin, bytes, { isHalfClosed: true, timeoutMs: 1000 });
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
