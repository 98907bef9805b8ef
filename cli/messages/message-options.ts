import { readFile } from "node:fs/promises";
import { type Command, type CommandResult, negative, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { idParser, parseCount } from "#cli/terminal/options.ts";
import type { Database } from "#core/database/connect.ts";
import { IllegalTransition } from "#core/messages/message-states.ts";
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

const STATES: Record<string, string> = {
  draft: "still a draft",
  "not prepared": "still a draft",
  sending: "being sent already",
};

/** Wraps a handler as the Commander action of a command whose first argument is a message's ID. */
export function withMessage<Args extends unknown[]>(
  handler: (db: Database, message: Message, ...args: Args) => Promise<CommandResult | undefined>,
) {
  return withMigratedDatabase<[string, ...Args]>(async (db, id, ...args) => {
    const message = await readMessage(db, id);
    if (!message) return negative(`There is no message ${id}. To list all messages: npx waitlist message status`, null);
    try {
      return await handler(db, message, ...args);
    } catch (reason) {
      if (!(reason instanceof IllegalTransition)) throw reason;
      const state = reason.state ?? "deleted";
      return negative(`Nothing was changed: message ${id} is ${STATES[state] ?? state}.`, { id, state });
    }
  });
}
