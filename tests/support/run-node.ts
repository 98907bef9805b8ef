import { execFile } from "node:child_process";

/** Runs one of our programs to its end. */
export function runNode(script: string, env: Record<string, string>): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script],
      { env: { PATH: process.env.PATH, ...env } },
      (_failed, out, err) => resolve({ code: child.exitCode ?? -1, output: out + err }),
    );
  });
}
