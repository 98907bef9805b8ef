import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Starts the mail worker in its own process. */
export async function startWorker(env: Record<string, string>) {
  const worker = spawn(process.execPath, ["worker/main.ts"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(worker, "exit");
  for await (const line of createInterface(worker.stdout)) if (line.includes("Mail worker started")) break;
  if (worker.exitCode !== null) throw new Error("The mail worker did not start");
  // Keeps reading, because an unread log would block the worker.
  worker.stdout.resume();
  return {
    async kill() {
      worker.kill("SIGKILL");
      await exited;
    },
    /** Returns the worker's exit code, or null if it was killed. */
    async stop(): Promise<number | null> {
      worker.kill("SIGTERM");
      return (await exited)[0];
    },
  };
}
