import type { Command } from "commander";
import { sql } from "kysely";
import { type Answer, onList } from "#cli/command.ts";
import { aCount, addFilters, addInvitedFilters } from "#cli/options.ts";
import { table } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { formatDate } from "#core/format.ts";
import { type Filter, matches } from "#core/waitlist/filter.ts";

export function addList(program: Command): void {
  addInvitedFilters(addFilters(program.command("list").description("who joined last")))
    .option("--limit <count>", "how many", aCount, 20)
    .addHelpText(
      "after",
      `
Examples:
  npx waitlist list
  npx waitlist list --company "Acme, Inc." --no-invited
  npx waitlist list --since 2026-11-01 --newsletter --limit 100`,
    )
    .action(onList(list));
}

interface Listed {
  email: string;
  firstName: string;
  lastName: string;
  company: string | null;
  newsletter: boolean;
  joinedAt: Date;
  invitedAt: Date | null;
}

async function list(db: Database, options: Filter & { limit: number }): Promise<Answer> {
  const { rows } = await sql<Listed>`
    select email, first_name as "firstName", last_name as "lastName", company, newsletter, joined_at as "joinedAt",
      invited_at as "invitedAt"
    from sign_ups where ${matches(options)} order by id desc limit ${options.limit}`.execute(db);
  const text = table(
    rows.map(({ joinedAt, firstName, lastName, email, company, newsletter, invitedAt }) => ({
      joined: formatDate(joinedAt),
      name: `${firstName} ${lastName}`,
      email,
      company: company ?? "",
      news: newsletter ? "yes" : "",
      invited: formatDate(invitedAt),
    })),
    { whole: "email" },
  );
  return { text: rows.length ? text : "Nobody.", json: rows, isGood: rows.length > 0 };
}
