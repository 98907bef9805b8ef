import { readFile } from "node:fs/promises";
import { type Command, UsageError } from "#cli/command.ts";
import { idParser, parseAddress, parseCount } from "#cli/options.ts";
import type { Pace } from "#core/messages/messages.ts";

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

/** Returns the address as typed, because a test is sent there; it needn't be on the list. */
export function parseMailbox(text: string): string {
  parseAddress(text);
  return text.trim();
}

export async function readBody(file: string): Promise<string> {
  const bytes = await readFile(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} isn't a text file in UTF-8.`);
  }
}
