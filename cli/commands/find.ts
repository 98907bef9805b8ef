import { type Command, InvalidArgumentError } from "commander";
import { type CommandResult, withMigratedDatabase } from "#cli/command.ts";
import { parseCount } from "#cli/options.ts";
import { formatTable } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { formatDate, pluralize } from "#core/format.ts";
import { findPeople } from "#core/waitlist/find-people.ts";

export function addFind(program: Command): void {
  program
    .command("find")
    .description("Find people by name, address or company")
    .argument("<text>", "Any part of it; case doesn't matter, accents do", parseText)
    .option("--limit <count>", "Show at most this many people", parseCount, 20)
    .addHelpText(
      "after",
      `
People who joined last come first. A search reads the whole list: 4 seconds
for a million people.

Examples:
  npx waitlist find lovelace
  npx waitlist find "Ada Love"
  npx waitlist find @acme.com --limit 100`,
    )
    .action(withMigratedDatabase(find));
}

function parseText(text: string): string {
  if (!text.trim()) throw new InvalidArgumentError("Use part of a name, address or company.");
  return text.trim();
}

async function find(db: Database, text: string, { limit }: { limit: number }): Promise<CommandResult> {
  const found = await findPeople(db, text, limit);
  if (found.people.length === 0) return { text: "No people found.", json: found, isOk: false };
  // Fewer columns than `list`, so that an address fits and can be copied into the next command.
  const table = formatTable(
    found.people.map(({ joinedAt, firstName, lastName, email, company }) => ({
      Joined: formatDate(joinedAt),
      Name: `${firstName} ${lastName}`,
      Email: email,
      Company: company ?? "",
    })),
    { keepColumn: "Email" },
  );
  const more = `More than ${pluralize(limit, "person", "people")} found. Use a longer text, or a higher --limit.`;
  return { text: found.hasMore ? `${table}\n\n${more}` : table, json: found };
}
