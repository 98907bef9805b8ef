import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { UsageError } from "./command.ts";

/** Shows a preview, and asks before a change that can't be undone. Without a terminal, only --yes confirms. */
export async function confirm(question: string, yes: boolean | undefined, preview = ""): Promise<boolean> {
  if (yes) return true;
  if (preview) process.stderr.write(`${preview}\n\n`);
  if (!process.stdin.isTTY)
    throw new UsageError("Can't ask for confirmation without a terminal. Add --yes to skip the prompt.");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-D closes the interface without an answer.
  const closed = once(terminal, "close").then(() => "no");
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
