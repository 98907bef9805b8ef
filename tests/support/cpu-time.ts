import { existsSync, readFileSync } from "node:fs";
import { descendantsOf } from "./process-tree.ts";

/** User and system time in hundredths of a second, including children that have ended. */
export function cpuTicks(pid: number): number {
  const path = `/proc/${pid}/stat`;
  const stat = existsSync(path) ? readFileSync(path, "utf8") : "";
  const fields = stat.split(") ")[1]?.split(" ") ?? [];
  // utime, stime, cutime and cstime; see proc(5).
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** CPU ticks of a process and all of its descendants. */
export function treeCpuTicks(pid: number): number {
  return [pid, ...descendantsOf(pid)].reduce((sum, each) => sum + cpuTicks(each), 0);
}
