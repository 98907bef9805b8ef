import { InvalidArgumentError } from "commander";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, notOnList, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { parseAddress } from "#cli/terminal/options.ts";
import { formatTable } from "#cli/terminal/table.ts";
import type { Details } from "#contract/member.ts";
import { signUpSchema } from "#contract/sign-up.ts";
import type { Database } from "#core/database/connect.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { editPerson } from "#core/members/edit.ts";
import { readSignUp } from "#core/members/person-data.ts";

const LABELS: Record<keyof Details, string> = {
  firstName: "First name",
  lastName: "Last name",
  company: "Company",
};

export function addEdit(program: Command): void {
  program
    .subcommand("edit", "Correct one person's name or company")
    .argument("<address>", "Email address; case doesn't matter", parseAddress)
    .option("--first-name <name>", "New first name", parseField("firstName"))
    .option("--last-name <name>", "New last name", parseField("lastName"))
    .option("--company <name>", 'New company; "" removes it', parseField("company"))
    .notes(`
Totals and company counts stay exact. The address can't be edited, because it
identifies the person, and only its owner can confirm it. If someone has a new
address, ask them to join with it, then erase the old one.`)
    .examples('ada@example.com --company "Acme, Inc."', "ada@example.com --first-name Ada --last-name King")
    .action(edit);
}

function parseField(name: keyof Details): (text: string) => string {
  return (text) => {
    const result = signUpSchema.shape[name].safeParse(text);
    if (!result.success) throw new InvalidArgumentError(`${result.error.issues[0]?.message}.`);
    return result.data;
  };
}

const edit = withMigratedDatabase(async (db, emailKey: EmailKey, options: Partial<Details>) => {
  const { firstName, lastName, company } = options;
  if (firstName === undefined && lastName === undefined && company === undefined) {
    throw new UsageError("Choose what to change: --first-name, --last-name or --company.");
  }
  const before = await readDetails(db, emailKey);
  if (!before) return notOnList(emailKey, { changed: {} });
  await editPerson(db, commandLineActor(), before.id, { firstName, lastName, company });
  const after = await readDetails(db, emailKey);
  if (!after) return notOnList(emailKey, { changed: {} });
  const changed = (Object.keys(LABELS) as (keyof Details)[]).filter((name) => before[name] !== after[name]);
  const rows = changed.map((name) => ({ "": LABELS[name], Before: before[name] || "–", After: after[name] || "–" }));
  return {
    text: rows.length ? formatTable(rows) : "Nothing changed: these values were already stored.",
    json: { changed: Object.fromEntries(changed.map((name) => [name, { before: before[name], after: after[name] }])) },
  };
});

async function readDetails(db: Database, emailKey: EmailKey): Promise<(Details & { id: string }) | undefined> {
  const person = await readSignUp(db, { email_key: emailKey });
  if (!person) return undefined;
  const { id, first_name, last_name, company } = person;
  return { id, firstName: first_name, lastName: last_name, company: company ?? "" };
}
