import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "#tools/dev/free-port.ts";

export interface ScratchRedis {
  url: string;
  /** For drills: SIGSTOP freezes it, SIGCONT lets it go on, SIGKILL ends it. */
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** A Redis that keeps everything in memory, on a free loopback port. */
export async function startScratchRedis(): Promise<ScratchRedis> {
  const at = await freePort();
  const args = ["--port", String(at), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(server, "exit");
  await new Promise<void>((resolve) => {
    createInterface(server.stdout).on("line", (line) => {
      if (line.includes("Ready to accept connections")) resolve();
    });
  });
  return {
    url: `redis://127.0.0.1:${at}`,
    signal: (name) => server.kill(name),
    async stop() {
      server.kill("SIGKILL");
      await exited;
    },
  };
}
