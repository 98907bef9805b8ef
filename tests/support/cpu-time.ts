import { existsSync, readFileSync } from "node:fs";
import { descendantsOf } from "./process-tree.ts";

/** User and system time in hundredths of a second, including children that have ended. */
export function cpuTicks(pid: number): number {
  return timesOf(pid)
    .slice(0, 4)
    .reduce((sum, ticks) => sum + ticks, 0);
}

/** CPU ticks of a process and all of its descendants. */
export function treeCpuTicks(pid: number): number {
  return [pid, ...descendantsOf(pid)].reduce((sum, each) => sum + cpuTicks(each), 0);
}

/** CPU ticks of this process's children that have ended. */
export function endedChildrenTicks(): number {
  const [, , user = 0, system = 0] = timesOf(process.pid);
  return user + system;
}

/** utime, stime, cutime and cstime; see proc(5). */
function timesOf(pid: number): number[] {
  const path = `/proc/${pid}/stat`;
  const stat = existsSync(path) ? readFileSync(path, "utf8") : "";
  const fields = stat.split(") ")[1]?.split(" ") ?? [];
  return fields.slice(11, 15).map(Number);
}
