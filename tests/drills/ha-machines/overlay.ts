import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";

export interface Overlay {
  root: string;
  unmount(): void;
}

/** A file system that has the lower folders' files and keeps changes in the upper one. */
export function mountOverlay(lower: string[], upper: string): Overlay {
  const root = `${upper}.root`;
  const work = `${upper}.work`;
  for (const folder of [upper, root, work]) mkdirSync(folder, { recursive: true });
  const options = `lowerdir=${lower.join(":")},upperdir=${upper},workdir=${work}`;
  execFileSync("mount", ["-t", "overlay", "overlay", "-o", options, root]);
  return {
    root,
    unmount() {
      execFileSync("umount", [root]);
      for (const folder of [root, work]) rmSync(folder, { recursive: true });
    },
  };
}
