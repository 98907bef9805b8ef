import type { Command } from "commander";
import { type CommandResult, withMigratedDatabase } from "#cli/command.ts";
import { addListFilters, parseCount } from "#cli/options.ts";
import { formatTable } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { formatDate } from "#core/format.ts";
import type { Filter } from "#core/waitlist/filter.ts";
import { listPeople } from "#core/waitlist/people.ts";

export function addList(program: Command): void {
  addListFilters(program.command("list").description("List the people who joined last"))
    .option("--limit <count>", "Show at most this many people", parseCount, 20)
    .addHelpText(
      "after",
      `
Examples:
  npx waitlist list
  npx waitlist list --company "Acme, Inc." --no-invited
  npx waitlist list --since 2026-11-01 --newsletter --limit 100
  npx waitlist list --source hackernews --campaign launch`,
    )
    .action(withMigratedDatabase(list));
}

async function list(db: Database, { limit, ...filter }: Filter & { limit: number }): Promise<CommandResult> {
  const people = await listPeople(db, filter, limit);
  const text = formatTable(
    people.map(({ joinedAt, firstName, lastName, email, company, newsletter, invitedAt }) => ({
      Joined: formatDate(joinedAt),
      Name: `${firstName} ${lastName}`,
      Email: email,
      Company: company ?? "",
      News: newsletter ? "yes" : "",
      Invited: formatDate(invitedAt),
    })),
    { keepColumn: "Email" },
  );
  return { text: people.length ? text : "No people found.", json: people, isOk: people.length > 0 };
}
