import type { Command } from "commander";
import { type CommandResult, UsageError, withList } from "#cli/command.ts";
import { parseCount } from "#cli/options.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { table } from "#cli/terminal/table.ts";
import { readConfig } from "#core/config.ts";
import type { Database } from "#core/database/connect.ts";
import { formatDate, pluralize } from "#core/format.ts";
import { dropQuarantined, readQuarantine, release } from "#core/waitlist/quarantine.ts";

export function addQuarantine(program: Command): void {
  const quarantine = program
    .command("quarantine")
    .description("what filled the hidden field: bots mostly, and people whose browser did it for them");
  quarantine
    .command("list")
    .description("what was caught last")
    .option("--limit <count>", "how many", parseCount, 20)
    .action(withList(list));
  quarantine
    .command("release")
    .description("put these people on the list after all, without news; who is on it by now stays")
    .argument("<numbers...>", "as list shows them")
    .addHelpText("after", "\nExample:\n  npx waitlist quarantine release 12 15")
    .action(withList(releaseSome));
  quarantine
    .command("drop")
    .description("delete these for good")
    .argument("[numbers...]", "as list shows them")
    .option("--older-than <days>", "all that were caught longer ago than that", parseCount)
    .option("--yes", "don't ask")
    .addHelpText(
      "after",
      `
Examples:
  npx waitlist quarantine drop 12 15

Once a day, because nobody needs what a bot typed for longer:
  npx waitlist quarantine drop --older-than 30 --yes`,
    )
    .action(withList(drop));
}

async function list(db: Database, { limit }: { limit: number }): Promise<CommandResult> {
  const caught = await readQuarantine(db, limit);
  const text = table(
    caught.map(({ id, caught_at, first_name, last_name, email, website }) => ({
      no: id,
      caught: formatDate(caught_at),
      name: `${first_name} ${last_name}`,
      email,
      "hidden field": website,
    })),
    { whole: "email" },
  );
  return { text: caught.length ? text : "The quarantine is empty.", json: caught };
}

async function releaseSome(db: Database, numbers: string[]): Promise<CommandResult> {
  const { joined, known } = await release(db, numbers.map(aNumber), readConfig().mail !== undefined);
  const text = `Released ${pluralize(joined, "person", "people")}${known ? `; ${known} had joined already` : ""}.`;
  return joined + known > 0
    ? { text, json: { joined, known } }
    : { text: "Nothing of that is in quarantine.", json: { joined, known }, isOk: false };
}

interface DropOptions {
  olderThan?: number;
  yes?: boolean;
}

async function drop(db: Database, numbers: string[], { olderThan, yes }: DropOptions): Promise<CommandResult> {
  if (numbers.length > 0 === (olderThan !== undefined)) throw new UsageError("Say what: numbers, or --older-than 30");
  const what = olderThan
    ? `all caught more than ${pluralize(olderThan, "day")} ago`
    : pluralize(numbers.length, "entry", "entries");
  if (!(await confirm(`Delete ${what}, for good?`, yes))) {
    return { text: "Nothing was deleted.", json: { dropped: 0 }, isOk: false };
  }
  const dropped = await dropQuarantined(
    db,
    olderThan === undefined ? numbers.map(aNumber) : { olderThanDays: olderThan },
  );
  return { text: `Deleted ${pluralize(dropped, "entry", "entries")}.`, json: { dropped } };
}

function aNumber(text: string): string {
  if (/^[1-9]\d{0,17}$/.test(text)) return text;
  throw new UsageError(`"${text}" is no number of the quarantine. See them with: npx waitlist quarantine list`);
}
