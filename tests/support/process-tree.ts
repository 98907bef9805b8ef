import { execFileSync, spawnSync } from "node:child_process";

/** Sends a signal to a process and to its children, which for PostgreSQL is all there is. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  const children = execFileSync("pgrep", ["--parent", String(pid)], { encoding: "utf8" })
    .trim()
    .split("\n");
  for (const each of [pid, ...children.map(Number)]) process.kill(each, signal);
}

/** The processes below one, its children's children included. */
export function descendantsOf(pid: number): number[] {
  const { stdout } = spawnSync("pgrep", ["--parent", String(pid)], { encoding: "utf8" });
  const children = stdout.split("\n").filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}
