import type { Command } from "commander";
import { type CommandResult, withList } from "#cli/command.ts";
import { addFilters, addInvitedFilters, parseCount } from "#cli/options.ts";
import { table } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { formatDate } from "#core/format.ts";
import type { Filter } from "#core/waitlist/filter.ts";
import { listPeople } from "#core/waitlist/people.ts";

export function addList(program: Command): void {
  addInvitedFilters(addFilters(program.command("list").description("who joined last")))
    .option("--limit <count>", "how many", parseCount, 20)
    .addHelpText(
      "after",
      `
Examples:
  npx waitlist list
  npx waitlist list --company "Acme, Inc." --no-invited
  npx waitlist list --since 2026-11-01 --newsletter --limit 100`,
    )
    .action(withList(list));
}

async function list(db: Database, { limit, ...filter }: Filter & { limit: number }): Promise<CommandResult> {
  const people = await listPeople(db, filter, limit);
  const text = table(
    people.map(({ joinedAt, firstName, lastName, email, company, newsletter, invitedAt }) => ({
      joined: formatDate(joinedAt),
      name: `${firstName} ${lastName}`,
      email,
      company: company ?? "",
      news: newsletter ? "yes" : "",
      invited: formatDate(invitedAt),
    })),
    { whole: "email" },
  );
  return { text: people.length ? text : "Nobody.", json: people, isOk: people.length > 0 };
}
