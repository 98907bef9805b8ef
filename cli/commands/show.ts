import type { Command } from "commander";
import { type CommandResult, withList } from "#cli/command.ts";
import { parseAddress } from "#cli/options.ts";
import { keyValueList, table } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import type { PersonColumns } from "#core/database/tables.ts";
import { formatDateTime } from "#core/format.ts";
import { type PersonData, readPersonData } from "#core/waitlist/person-data.ts";

export function addShow(program: Command): void {
  program
    .command("show")
    .description("everything held about one person")
    .argument("<address>", "their e-mail address, in any case", parseAddress)
    .addHelpText(
      "after",
      `
Examples:
  npx waitlist show ada@example.com

For someone who asks what we hold about them:
  npx waitlist show ada@example.com --json >ada.json`,
    )
    .action(withList(show));
}

async function show(db: Database, emailKey: string): Promise<CommandResult> {
  const held = await readPersonData(db, emailKey);
  const isKnown = held.signUp !== null || held.quarantine.length > 0;
  return { text: isKnown ? describe(held) : `Nothing is held about ${emailKey}.`, json: held, isOk: isKnown };
}

export function describe({ signUp, consents, quarantine }: PersonData): string {
  const parts: string[] = [];
  if (signUp) {
    parts.push(
      keyValueList({
        ...Object.fromEntries(Object.values(typed(signUp))),
        joined: formatDateTime(signUp.joined_at),
        "wants news": signUp.newsletter ? "yes" : "no",
        confirmed: formatDateTime(signUp.confirmed_at),
        invited: formatDateTime(signUp.invited_at),
        "refused by their server": formatDateTime(signUp.rejected_at),
        campaign:
          Object.entries(signUp.utm ?? {})
            .map(([name, value]) => `${name}: ${value}`)
            .join(", ") || "–",
      }),
    );
  }
  for (const { given, at, version, wording } of consents) {
    const what = given ? "agreed" : "withdrew";
    parts.push(keyValueList({ [what]: formatDateTime(at), "to the words": `“${wording}” (version ${version})` }));
  }
  if (quarantine.length) {
    parts.push(
      table(
        quarantine.map(({ id, caught_at, website }) => ({
          quarantine: id,
          caught: formatDateTime(caught_at),
          website,
        })),
      ),
    );
  }
  return parts.join("\n\n");
}

/** By column, so that a field that the form asks for and this doesn't show is an error of types. */
function typed({ first_name, last_name, email, company }: PersonColumns) {
  return {
    first_name: ["name", `${first_name} ${last_name}`],
    email: ["email", email],
    company: ["company", company ?? "–"],
  } satisfies Record<Exclude<keyof PersonColumns, "email_key" | "last_name" | "newsletter">, [string, string]>;
}
