import { execFile } from "node:child_process";

export interface ExitedProcess {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one of our programs until it exits, without a terminal. */
export function runNode(script: string, env: Record<string, string>, args: string[] = []): Promise<ExitedProcess> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      {
        env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
        maxBuffer: 64 * 1024 * 1024,
      },
      (_failed, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
