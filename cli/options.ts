import { type Command, InvalidArgumentError } from "commander";
import { emailKey } from "#core/waitlist/email-key.ts";

/** Filters shared by `list`, `export`, `invite` and `message new`. */
export function addFilters(command: Command): Command {
  return command
    .option(
      "--since <date>",
      "Only people who joined at or after this time (UTC, 2026-11-30 or 2026-11-30T18:00)",
      parseDate,
    )
    .option("--until <date>", "Only people who joined before this time", parseDate)
    .option("--company <name>", 'Only people at this company; "acme" matches "ACME, Inc."')
    .option("--newsletter", "Only newsletter subscribers")
    .option("--no-newsletter", "Only people who aren't subscribed to the newsletter")
    .option("--confirmed", "Only people who confirmed their email address")
    .option("--no-confirmed", "Only people who haven't confirmed their email address")
    .option("--rejected", "Only people whose address is rejected: a bounce or a complaint")
    .option("--no-rejected", "Only people whose address isn't rejected")
    .option("--source <name>", "Only people whom this source brought (utm_source), as in the console")
    .option("--medium <name>", "Only people whom this medium brought (utm_medium)")
    .option("--campaign <name>", "Only people whom this campaign brought (utm_campaign)");
}

/** Not for `invite`, which always skips people who are invited already. */
export function addInvitedFilters(command: Command): Command {
  return command
    .option("--invited", "Only people who have been invited")
    .option("--no-invited", "Only people who haven't been invited")
    .option("--wave <id>", 'Only this wave: an ID from "waitlist status"', parseWave);
}

/** For `list` and `export`, which show people and don't write to them. */
export function addListFilters(command: Command): Command {
  return addInvitedFilters(addFilters(command))
    .option("--search <text>", "Only people whose address, name or company begins with this")
    .option("--unsubscribed", "Only people who unsubscribed from the newsletter")
    .option("--no-unsubscribed", "Only people who haven't unsubscribed from the newsletter");
}

export function parseWave(text: string): string {
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new InvalidArgumentError("Use a wave ID like 12.");
  return text;
}

function parseDate(text: string): Date {
  const date = readDate(text);
  if (!date) throw new InvalidArgumentError("Use a date like 2026-11-30 or 2026-11-30T18:00.");
  return date;
}

function readDate(text: string): Date | undefined {
  // A time without a zone is UTC, like every time this tool prints.
  const [, day = "", time = "00:00"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?)?$/.exec(text) ?? [];
  const date = new Date(`${day}T${time}Z`);
  // JavaScript reads February 31 as March 3.
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day) ? undefined : date;
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Use a whole number, 1 or higher.");
  return Number(text);
}

/** Returns the canonical address, which is unique on the list. */
export function parseAddress(text: string): string {
  const key = text.includes("@") ? emailKey(text) : undefined;
  if (!key) throw new InvalidArgumentError("Use an email address like ada@example.com.");
  return key;
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError("Use a port from 0 to 65535.");
  return port;
}
