import { readFile } from "node:fs/promises";
import { type Command, negative, type Returned, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { idParser, parseCount } from "#cli/terminal/options.ts";
import type { Database } from "#core/database/connect.ts";
import { type Message, type Pace, readMessage } from "#core/messages/messages.ts";

export interface PaceOptions {
  perHour?: number;
  perDay?: number;
}

export function addPace(command: Command): Command {
  return command
    .option("--per-hour <count>", "Send at most this many emails per hour", parseCount)
    .option("--per-day <count>", "Send at most this many emails per day", parseCount);
}

export function readPace({ perHour, perDay }: PaceOptions): Pace | null {
  if (perHour && perDay) throw new UsageError("Choose --per-hour or --per-day, not both.");
  if (perHour) return { count: perHour, unit: "hour" };
  return perDay ? { count: perDay, unit: "day" } : null;
}

export const parseMessageId = idParser("Use a message ID like 12.");

export const MESSAGE_ID = ["<id>", 'Message ID from "waitlist message status"', parseMessageId] as const;

export async function readBody(file: string): Promise<string> {
  const bytes = await readFile(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} isn't a text file in UTF-8.`);
  }
}

/** Wraps a handler as the Commander action of a command whose first argument is a message's ID. */
export function withMessage<Args extends unknown[]>(
  handler: (db: Database, message: Message, ...args: Args) => Returned,
) {
  return withMigratedDatabase<[string, ...Args]>(async (db, id, ...args) => {
    const message = await readMessage(db, id);
    if (!message) return negative(`There is no message ${id}. To list all messages: npx waitlist message status`, null);
    return handler(db, message, ...args);
  });
}
