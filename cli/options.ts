import { type Command, InvalidArgumentError } from "commander";
import { emailKey } from "#core/waitlist/email-key.ts";

/** The options that say whom one means, the same for every command that has them. */
export function addFilters(command: Command): Command {
  return command
    .option("--since <date>", "who joined at that time or later (UTC, like 2026-11-30 or 2026-11-30T18:00)", parseDate)
    .option("--until <date>", "who joined before that time", parseDate)
    .option("--company <name>", "who works there, however they wrote it")
    .option("--newsletter", "who wants news")
    .option("--no-newsletter", "who doesn't")
    .option("--confirmed", "whose address is confirmed")
    .option("--no-confirmed", "whose address isn't");
}

/** The same for commands that are not about inviting. */
export function addInvitedFilters(command: Command): Command {
  return command
    .option("--invited", "who was invited")
    .option("--no-invited", "who wasn't")
    .option("--wave <id>", "who was invited in that wave, by its id or timestamp (see: waitlist status)", parseWave);
}

function parseWave(text: string): string | Date {
  return /^[1-9]\d{0,17}$/.test(text) ? text : parseDate(text);
}

function parseDate(text: string): Date {
  // A time without a zone is UTC, like every time this tool prints.
  const [, day = "", time = "00:00"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?)?$/.exec(text) ?? [];
  const date = new Date(`${day}T${time}Z`);
  // JavaScript takes 31 February for 3 March.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) {
    throw new InvalidArgumentError("Write it like 2026-11-30 or 2026-11-30T18:00.");
  }
  return date;
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Write a whole number of at least 1.");
  return Number(text);
}

/** What decides who is the same person. */
export function parseAddress(text: string): string {
  const key = text.includes("@") ? emailKey(text) : undefined;
  if (!key) throw new InvalidArgumentError("Write an e-mail address, like ada@example.com.");
  return key;
}
