import { Command as CommanderCommand } from "commander";
import { readDatabaseUrl } from "#core/config/config.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { requireSchema } from "#core/service/require-schema.ts";
import { escapeInvisible, formatJson } from "./escape-invisible.ts";

export class Command extends CommanderCommand {
  override createCommand(name?: string): Command {
    return new Command(name);
  }

  subcommand(name: string, description: string): Command {
    return this.command(name).description(description);
  }

  notes(text: string): this {
    return this.addHelpText("after", text);
  }

  /** Ends the help with example calls of this command. Takes each call's arguments. */
  examples(...calls: string[]): this {
    return this.addHelpText("after", () => {
      const lines = calls.map((args) => `\n  npx ${pathOf(this)} ${args}`.trimEnd());
      return `\n${calls.length > 1 ? "Examples" : "Example"}:${lines.join("")}`;
    });
  }
}

const pathOf = (command: CommanderCommand): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

export interface CommandResult {
  text: string;
  /** With --json, printed instead of `text`. */
  json: unknown;
  /** False when nothing was found, a check failed or the operator answered no: exit code 1. */
  isOk?: boolean;
}

/** A result with exit code 1. */
export const negative = (text: string, json: unknown): CommandResult => ({ text, json, isOk: false });

export const notOnList = (emailKey: string, json: unknown) =>
  negative(`${escapeInvisible(emailKey)} isn't on the list.`, json);

/** The program's help documents these exit codes. */
export const EXIT = { ok: 0, negative: 1, usage: 2, unreachable: 3, internal: 4, interrupted: 130 };

/** The operator must change something; the message says what. */
export class UsageError extends Error {}

type Returned = Promise<CommandResult | undefined>;

/** Receives the command's arguments, then its options merged with the global ones. */
type Handler<Args extends unknown[]> = (db: Database, ...args: Args) => Returned;

/** Wraps a handler as a Commander action; refuses to run on a schema that doesn't fit this code. */
export function withMigratedDatabase<Args extends unknown[]>(handler: Handler<Args>) {
  return withDatabase<Args>(async (db, ...args) => {
    await requireSchema(db, "command");
    return handler(db, ...args);
  });
}

/** Wraps a handler as a Commander action, for any version of the schema. */
export function withDatabase<Args extends unknown[]>(handler: Handler<Args>) {
  return withoutDatabase<Args>(async (...args) => {
    const db = connect(readDatabaseUrl());
    try {
      return await handler(db, ...args);
    } finally {
      await db.destroy();
    }
  });
}

/** Wraps a handler as a Commander action that prints the result as text or JSON and sets the exit code. */
export function withoutDatabase<Args extends unknown[]>(handler: (...args: Args) => Returned) {
  return async (...received: unknown[]): Promise<void> => {
    const options = (received.at(-1) as Command).optsWithGlobals<{ json?: boolean }>();
    const result = await handler(...([...received.slice(0, -2), options] as Args));
    if (!result) return;
    console.log(options.json ? formatJson(result.json) : result.text);
    process.exitCode = result.isOk === false ? EXIT.negative : EXIT.ok;
  };
}
