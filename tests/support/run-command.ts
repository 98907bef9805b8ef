import { vi } from "vitest";
import { run } from "#cli/run.ts";
import { ignoreClosedPipe } from "#cli/terminal/write-chunks.ts";
import type { ExitedProcess } from "./run-node.ts";

/** Runs `npx waitlist` in this process without a terminal, because a new process takes longer than most commands. */
export async function runCommand(env: Record<string, string>, args: string[]): Promise<ExitedProcess> {
  const written = { stdout: "", stderr: "" };
  const capture = (name: "stdout" | "stderr") =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += text;
      return true;
    });
  const log = vi.spyOn(console, "log").mockImplementation((text) => {
    written.stdout += `${text}\n`;
  });
  const spies = [capture("stdout"), capture("stderr"), log];
  const before = { env: process.env, argv: process.argv };
  process.env = env;
  process.argv = [process.execPath, "cli/waitlist.ts", ...args];
  try {
    await run();
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    Object.assign(process, before);
    process.exitCode = undefined;
    process.stdout.off("error", ignoreClosedPipe);
    for (const spy of spies) spy.mockRestore();
  }
}
