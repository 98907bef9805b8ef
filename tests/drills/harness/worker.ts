import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** The mail worker in its own process, of this version or of the one in the folder. */
export async function startWorker(env: Record<string, string>, release = ".") {
  const worker = spawn(process.execPath, [`${release}/worker/main.ts`], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(worker, "exit");
  for await (const line of createInterface(worker.stdout)) if (line.includes("Mail worker started")) break;
  if (worker.exitCode !== null) throw new Error("The mail worker did not start");
  // It must not wait for someone to read its log.
  worker.stdout.resume();
  return {
    pid: worker.pid ?? 0,
    async kill() {
      worker.kill("SIGKILL");
      await exited;
    },
    /** Returns its exit code, or null if it was killed. */
    async stop(): Promise<number | null> {
      worker.kill("SIGTERM");
      return (await exited)[0];
    },
  };
}
