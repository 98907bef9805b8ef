import type { ChildProcess } from "node:child_process";

/** Resolves when the program responds with the status at the origin, and rejects if it exits first. */
export async function untilServes(program: ChildProcess, origin: string, status = 200): Promise<void> {
  const isUp = () =>
    fetch(origin).then(
      (response) => response.status === status,
      () => false,
    );
  while (program.exitCode === null && !(await isUp())) await new Promise((resolve) => setTimeout(resolve, 50));
  if (program.exitCode !== null) throw new Error(`${program.spawnfile} did not start`);
}
