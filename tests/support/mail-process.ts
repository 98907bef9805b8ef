import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface MailProcess {
  pid: number;
  stop(): Promise<void>;
}

/** The mail worker in its own process, of this version or of the one in the folder. */
export async function startMailProcess(env: Record<string, string>, release = "."): Promise<MailProcess> {
  const main = ["worker/main.ts", "server/worker.ts"].find((path) => existsSync(join(release, path))) ?? "";
  const worker = spawn(process.execPath, [join(release, main)], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(worker, "exit");
  for await (const line of createInterface(worker.stdout)) {
    if (line.includes("Mail worker started")) break;
  }
  if (worker.exitCode !== null) throw new Error("The mail worker did not start");
  // It must not wait for someone to read its log.
  worker.stdout.resume();
  return {
    pid: worker.pid ?? 0,
    async stop() {
      worker.kill("SIGTERM");
      await exited;
    },
  };
}
