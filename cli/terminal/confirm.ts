import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { UsageError } from "#cli/command.ts";

/** Asks before what can't be undone. Where nobody can be asked, only --yes will do. */
export async function confirm(question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) throw new UsageError("Nobody can be asked here. To do it all the same, add --yes");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-D closes it without an result.
  const closed = once(terminal, "close").then(() => "no");
  try {
    const result = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(result.trim());
  } finally {
    terminal.close();
  }
}
