import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { WrongUsage } from "#cli/command.ts";

/** Asks before what can't be undone. Where nobody can be asked, only --yes will do. */
export async function confirm(question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) throw new WrongUsage("Nobody can be asked here. To do it all the same, add --yes");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-D closes it without an answer.
  const closed = once(terminal, "close").then(() => "no");
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
