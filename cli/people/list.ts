import { type Command, withMigratedDatabase } from "#cli/terminal/command.ts";
import { addFilters, parseCount, readFilter } from "#cli/terminal/options.ts";
import { formatTable } from "#cli/terminal/table.ts";
import type { Filter } from "#core/people/filter.ts";
import { FILTER_NAMES } from "#core/people/filter-fields.ts";
import { listPeople } from "#core/people/people-page.ts";
import { formatDate } from "#core/text/format.ts";

export function addList(program: Command): void {
  addFilters(program.subcommand("list", "List or find people, newest first"), FILTER_NAMES)
    .option("--limit <count>", "Show at most this many people", parseCount, 20)
    .notes(`
A search matches the beginnings of words in addresses, names and companies. Case
and accents don't matter.`)
    .examples(
      "",
      '--search "ada lovelace"',
      "--search @acme.com --limit 100",
      '--company "Acme, Inc." --no-invited',
      "--since 2026-11-01 --newsletter --limit 100",
      "--source hackernews --campaign launch",
    )
    .action(list);
}

const list = withMigratedDatabase(async (db, options: Filter & { limit: number }) => {
  const people = await listPeople(db, readFilter(options), options.limit);
  const text = formatTable(
    people.map(({ joinedAt, firstName, lastName, email, company, newsletter, invitedAt }) => ({
      Joined: formatDate(joinedAt),
      Name: `${firstName} ${lastName}`,
      Email: email,
      Company: company ?? "",
      News: newsletter ? "yes" : "",
      Invited: formatDate(invitedAt),
    })),
  );
  return { text: people.length ? text : "No people found.", json: people, isOk: people.length > 0 };
});
