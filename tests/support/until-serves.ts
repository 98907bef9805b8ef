import type { ChildProcess } from "node:child_process";

/** Resolves when the program serves its page at the origin, and rejects if it exits first. */
export async function untilServes(program: ChildProcess, origin: string): Promise<void> {
  const isUp = () =>
    fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    );
  while (program.exitCode === null && !(await isUp())) await new Promise((resolve) => setTimeout(resolve, 50));
  if (program.exitCode !== null) throw new Error(`${program.spawnfile} did not start`);
}
