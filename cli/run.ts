import { CommanderError } from "commander";
import { EXIT, UsageError } from "#cli/terminal/command.ts";
import { explainRefusal, explainUnreachable, messageOf, StartupError } from "#core/database/startup-error.ts";
import { InvalidMessage } from "#core/mail/rendering/placeholders.ts";
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
  const message = messageOf(reason);
  if ([UsageError, StartupError, InvalidMessage].some((kind) => reason instanceof kind))
    return fail(EXIT.usage, message);
  const refusal = explainRefusal(reason);
  if (refusal) return fail(EXIT.usage, refusal);
  const unreachable = explainUnreachable(reason);
  return unreachable ? fail(EXIT.unreachable, unreachable) : fail(EXIT.internal, `Internal error: ${message}`);
}
