import { createInterface } from "node:readline/promises";
import { WrongUsage } from "#operator/command.ts";

/** Asks before what can't be undone. Where nobody can be asked, only --yes will do. */
export async function confirm(question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) throw new WrongUsage("Nobody can be asked here. To do it all the same, add --yes");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
