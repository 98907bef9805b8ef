import { CommanderError } from "commander";
import { EXIT, UsageError } from "#cli/terminal/command.ts";
import { explainFault, messageOf } from "#core/config/startup-error.ts";
import { isOutage } from "#core/database/faults.ts";
import { createProgram } from "./program.ts";
import { ignoreClosedPipe } from "./terminal/write-chunks.ts";

export async function run(): Promise<void> {
  process.stdout.on("error", ignoreClosedPipe);
  try {
    await createProgram().parseAsync();
  } catch (reason) {
    process.exitCode = reportError(reason);
  }
}

/** Prints the message only, because the rest of a database error may contain a row. Returns the exit code. */
function reportError(reason: unknown): number {
  // Commander has printed its own message.
  if (reason instanceof CommanderError) return reason.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (!(reason instanceof Error)) throw reason;
  if (reason.name === "AbortError") return EXIT.interrupted;
  const fail = (exitCode: number, text: string) => {
    process.stderr.write(`${text}\n`);
    return exitCode;
  };
  if (reason instanceof UsageError) return fail(EXIT.usage, reason.message);
  const explained = explainFault(reason);
  if (!explained) return fail(EXIT.internal, `Internal error: ${messageOf(reason)}`);
  return fail(isOutage(reason) ? EXIT.unreachable : EXIT.usage, explained);
}
