#!/usr/bin/env node
import { CommanderError } from "commander";
import { isAccessDenied, isUnavailable } from "#core/database/faults.ts";
import { describeUnreachable, RefusedStart } from "#core/refused-start.ts";
import { EXIT, UsageError } from "./command.ts";
import { createProgram } from "./program.ts";

try {
  await createProgram().parseAsync();
} catch (reason) {
  process.exitCode = reportError(reason);
}

/** Prints the message only, because the rest of a database error may contain a row. Returns the exit code. */
function reportError(reason: unknown): number {
  // Commander has printed its own message.
  if (reason instanceof CommanderError) return reason.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (!(reason instanceof Error)) throw reason;
  if (reason.name === "AbortError") return EXIT.interrupted;
  const print = (text: string) => process.stderr.write(`${text}\n`);
  const message = reason instanceof AggregateError ? String(reason.errors[0]?.message) : reason.message;
  if (reason instanceof UsageError || reason instanceof RefusedStart) {
    print(message);
    return EXIT.usage;
  }
  // Node's file errors carry the path.
  if ("path" in reason) {
    print(`Can't access the file: ${message}`);
    return EXIT.usage;
  }
  if (isUnavailable(reason) || isAccessDenied(reason)) {
    print(`${describeUnreachable(reason)} Check DATABASE_URL.`);
    return EXIT.unreachable;
  }
  print(`Internal error: ${message}`);
  return EXIT.internal;
}
