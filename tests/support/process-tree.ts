import { execFileSync, spawnSync } from "node:child_process";

/** Signals a process and its children; PostgreSQL's processes are only one level deep. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  const children = execFileSync("pgrep", ["--parent", String(pid)], { encoding: "utf8" })
    .trim()
    .split("\n");
  for (const each of [pid, ...children.map(Number)]) process.kill(each, signal);
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The ids of all child processes, recursively. */
export function descendantsOf(pid: number): number[] {
  const { stdout } = spawnSync("pgrep", ["--parent", String(pid)], { encoding: "utf8" });
  const children = stdout.split("\n").filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}
