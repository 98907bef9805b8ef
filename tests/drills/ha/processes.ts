import { execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";

export interface Owner {
  uid: number;
  gid: number;
}

/** PostgreSQL knows its superuser by the name of the system user, and etcd doesn't care. */
export function postgresOwner(): Owner {
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

export interface Program {
  pid: number;
  /** Ends it with this signal and waits until it has exited. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a program whose output goes to a log file. */
export function start(command: string, args: string[], log: string, options: SpawnOptions): Program {
  const output = openSync(log, "a");
  const child = spawn(command, args, { ...options, stdio: ["ignore", output, output], detached: true });
  const exited = once(child, "exit");
  // Rejects if it could not be started at all; `end` reports it.
  exited.catch(() => {});
  return {
    pid: child.pid ?? 0,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

/** A process and its children, read at once: a slow pgrep for each would block the drill's own clients for seconds. */
export function withChildren(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return [pid, ...children.split(" ").filter(Boolean).map(Number)];
}

/** Signals processes, some of which may have ended. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (reason) {
      if ((reason as { code?: string }).code !== "ESRCH") throw reason;
    }
  }
}
