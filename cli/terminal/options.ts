import { InvalidArgumentError } from "commander";
import type { EmailKey } from "#core/database/tables.ts";
import { emailKey } from "#core/people/address.ts";
import type { Filter } from "#core/people/filter.ts";
import { ANSWER_FORMAT, FILTERS, type FilterField, type FilterName, OR } from "#core/people/filter-fields.ts";
import type { Command } from "./command.ts";

type Parse = (text: string, before?: string | Date) => string | Date;

const PARSERS: Record<Exclude<FilterField["type"], "choice">, Parse> = {
  text: (text) => text,
  // Repeating the option matches any of the names.
  name: (text, before) => (before === undefined ? text : `${before}${OR}${text}`),
  date: parseDate,
  id: parseId,
  answer: parseAnswer,
};

export function addFilters(command: Command, names: FilterName[]): Command {
  for (const name of names) {
    const filter: FilterField = FILTERS[name];
    if (filter.type === "choice") {
      command.option(`--${name}`, `Only people ${filter.yes.people}`);
      command.option(`--no-${name}`, `Only people ${filter.no.people}`);
    } else {
      command.option(`--${name} <${filter.type}>`, `Only people ${filter.people}`, PARSERS[filter.type]);
    }
  }
  return command;
}

export function readFilter(options: Filter): Filter {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(FILTERS, name)));
}

function parseId(text: string): string {
  if (!/^(0|[1-9]\d{0,17})$/.test(text)) throw new InvalidArgumentError("Use an ID like 12.");
  return text;
}

export function parseDate(text: string): Date {
  // A time without a zone is UTC, like every time this tool prints.
  const [, day = "", time = "00:00"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)Z?)?$/.exec(text) ?? [];
  const date = new Date(`${day}T${time}Z`);
  // Compares with the input, because JavaScript reads February 31 as March 3.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) {
    throw new InvalidArgumentError("Use a date like 2026-11-30 or 2026-11-30T18:00.");
  }
  return date;
}

function parseAnswer(text: string): string {
  if (!ANSWER_FORMAT.test(text)) throw new InvalidArgumentError("Use numbers of questions and choices, like 2:1,2:3.");
  return text;
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Use a whole number, 1 or higher.");
  return Number(text);
}

/** Returns the canonical address, which is unique on the list. */
export function parseAddress(text: string): EmailKey {
  const address = emailKey(text);
  if (!address) throw new InvalidArgumentError("Use an email address like ada@example.com.");
  return address;
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError("Use a port from 0 to 65535.");
  return port;
}
