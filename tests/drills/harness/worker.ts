import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Starts the mail worker of a release, by default this version, in its own process. */
export async function startWorker(env: Record<string, string>, release = ".") {
  const worker = spawn(process.execPath, [`${release}/worker/main.ts`], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(worker, "exit");
  for await (const line of createInterface(worker.stdout)) if (line.includes("Mail worker started")) break;
  if (worker.exitCode !== null) throw new Error("The mail worker did not start");
  // Keeps reading, because an unread log would block the worker.
  worker.stdout.resume();
  return {
    pid: worker.pid ?? 0,
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
