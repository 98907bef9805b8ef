import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "#tools/dev/free-port.ts";

export interface ScratchRedis {
  url: string;
  /** For drills: SIGSTOP freezes Redis, SIGCONT resumes it, SIGKILL kills it. */
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** A Redis without persistence, on a free loopback port. */
export async function startScratchRedis(): Promise<ScratchRedis> {
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(server, "exit");
  await new Promise<void>((resolve) => {
    createInterface(server.stdout).on("line", (line) => {
      if (line.includes("Ready to accept connections")) resolve();
    });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    signal: (name) => server.kill(name),
    async stop() {
      server.kill("SIGKILL");
      await exited;
    },
  };
}
