import { execFileSync } from "node:child_process";

/** Sends a signal to a process and to its children, which for PostgreSQL is all there is. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  const children = execFileSync("pgrep", ["--parent", String(pid)], { encoding: "utf8" })
    .trim()
    .split("\n");
  for (const each of [pid, ...children.map(Number)]) process.kill(each, signal);
}
