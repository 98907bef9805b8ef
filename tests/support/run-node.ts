import { execFile } from "node:child_process";

export interface ExitedProcess {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of ours without a terminal until it exits. A service that should refuse to start needs a timeout. */
export function runNode(
  script: string,
  env: Record<string, string>,
  args: string[] = [],
  timeout = 0,
): Promise<ExitedProcess> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      {
        env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
        maxBuffer: 64 * 1024 * 1024,
        timeout,
      },
      (_failed, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
