import { readFileSync } from "node:fs";
import { connect as openSocket } from "node:net";
import fc from "fast-check";
import { drive } from "#tests/support/load.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { anyBytes, anyRequest } from "./cases.ts";

export interface Fuzzed {
  /** Answers by status; 0 where a connection was closed without one, as bytes that aren't HTTP may be. */
  statuses: Map<number, number>;
  /** What the server holds in memory more than before, in MB, once it has had time to let go. */
  grownMb: number;
  /** Everything it wrote. */
  log: string;
}

/** Cases are made as they are needed, and one in twenty is not even HTTP. */
const CHUNK = 1000;
const RAW_SHARE = 0.05;

/** Throws strange requests at a real server. Rejects where it died. */
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

  async function someCases(): Promise<void> {
    const wires = fc.sample(anyRequest, CHUNK * (1 - RAW_SHARE));
    const driven = await drive({
      ports: [port],
      connections: 16,
      next: () => {
        const wire = wires.pop();
        return wire === undefined ? undefined : { wire };
      },
    });
    for (const [status, times] of driven.statuses) count(status, times);
    await Promise.all(fc.sample(anyBytes, CHUNK * RAW_SHARE).map(async (bytes) => count(await poke(port, bytes))));
  }

  try {
    // Some rounds first: V8 lets its heap grow to a size at which it is seldom collected, and that is no leak.
    const warmUp = Math.max(10_000, cases / 10);
    for (let done = 0; done < warmUp; done += CHUNK) await someCases();
    const before = residentMb(server.pid);
    for (let done = warmUp; done < cases; done += CHUNK) await someCases();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    return { statuses, grownMb: residentMb(server.pid) - before, log: server.log() };
  } finally {
    await server.stop();
  }
}

/** Sends bytes on a connection of their own and answers the status that came back, or 0. */
async function poke(port: number, bytes: string): Promise<number> {
  const socket = openSocket(port, "127.0.0.1").setEncoding("latin1").setTimeout(1000);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.on("error", () => {});
  socket.on("timeout", () => socket.destroy());
  // Half-closed at once: whatever the server makes of it, it knows that nothing more comes.
  socket.end(bytes, "latin1");
  // Not once(), which rejects where the server, tired of it, resets the connection.
  await new Promise((resolve) => socket.on("close", resolve));
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
