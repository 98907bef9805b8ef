import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Workers {
  /** Kills one of them with SIGKILL, in turns, and starts another. */
  killNext(): Promise<void>;
  /** Resolves to whether all of them exited without a fault. */
  stop(): Promise<boolean>;
}

/** Two mail workers. `control` is a module that removes a safeguard from them. */
export async function startWorkers(env: Record<string, string>, control?: string): Promise<Workers> {
  const workers = await Promise.all([startWorker(env, control), startWorker(env, control)]);
  return {
    async killNext() {
      const worker = workers.shift() as ChildProcess;
      worker.kill("SIGKILL");
      await once(worker, "exit");
      workers.push(await startWorker(env, control));
    },
    async stop() {
      const exits = await Promise.all(
        workers.splice(0).map((worker) => {
          worker.kill("SIGTERM");
          return once(worker, "exit");
        }),
      );
      return exits.every(([code]) => code === 0);
    },
  };
}

async function startWorker(env: Record<string, string>, control?: string): Promise<ChildProcess> {
  const imports = control ? ["--import", `./${control}`] : [];
  const worker = spawn(process.execPath, [...imports, "worker/main.ts"], {
    env: { NODE_COMPILE_CACHE: "node_modules/.cache/node", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(worker.stdout)) if (line.includes("Mail worker started")) break;
  if (worker.exitCode !== null) throw new Error("The mail worker did not start");
  // It must not wait for someone to read its log.
  worker.stdout.resume();
  return worker;
}
