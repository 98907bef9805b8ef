import { type Command, withMigratedDatabase } from "#cli/terminal/command.ts";
import { parseAddress } from "#cli/terminal/options.ts";
import { formatKeyValueList, formatTable } from "#cli/terminal/table.ts";
import type { EmailKey, PersonColumns } from "#core/database/tables.ts";
import { type PersonData, readPersonData } from "#core/members/person-data.ts";
import { describeOrigin } from "#core/people/origin.ts";
import { formatDateTime } from "#core/text/format.ts";

export function addShow(program: Command): void {
  program
    .subcommand("show", "Show all data stored about one person")
    .argument("<address>", "Email address; case doesn't matter", parseAddress)
    .notes(`
Examples:
  npx waitlist show ada@example.com

For someone who asks what data you have about them:
  (umask 77; npx waitlist show ada@example.com --json >ada.json)`)
    .action(show);
}

const show = withMigratedDatabase(async (db, emailKey: EmailKey) => {
  const data = await readPersonData(db, { email_key: emailKey });
  const isKnown = data.signUp !== null || data.quarantine.length + data.moved.length > 0;
  return { text: isKnown ? formatPersonData(data) : `No data stored for ${emailKey}.`, json: data, isOk: isKnown };
});

export function formatPersonData({ signUp, answers, consents, deliveries, quarantine, moved }: PersonData): string {
  const answered = answers.map(({ question, choices }) => ({ Question: question, Answer: choices.join(", ") }));
  const decisions = consents.map(({ given, at, version, wording }) => ({
    [given ? "Consented" : "Withdrew consent"]: formatDateTime(at),
    Wording: `“${wording}” (version ${version})`,
  }));
  const emails = deliveries.map(({ kind, subject, state, reason, sent_at }) => ({
    Email: subject || kind,
    State: reason ? `${state} (${reason})` : state,
    "Last sent": formatDateTime(sent_at),
  }));
  const caught = quarantine.map(({ id, caught_at, website }) => ({
    "Quarantine ID": id,
    Caught: formatDateTime(caught_at),
    "Hidden field": website,
  }));
  const aside = moved.map((each) => ({
    "Moved to quarantine": formatDateTime(each.moved_at),
    ...(each.signUp && signUpFields(each.signUp)),
  }));
  const lists = [...(signUp ? [signUpFields(signUp)] : []), ...answered, ...decisions, ...aside];
  const tables = [emails, caught].filter((rows) => rows.length > 0);
  return [...lists.map((list) => formatKeyValueList(list)), ...tables.map((rows) => formatTable(rows))].join("\n\n");
}

function signUpFields(signUp: NonNullable<PersonData["signUp"]>) {
  return {
    ...Object.fromEntries(Object.values(formFields(signUp))),
    Joined: formatDateTime(signUp.joined_at),
    Newsletter: signUp.newsletter ? "yes" : "no",
    Confirmed: formatDateTime(signUp.confirmed_at),
    Invited: formatDateTime(signUp.invited_at),
    Accepted: formatDateTime(signUp.accepted_at),
    Suppressed: formatDateTime(signUp.rejected_at),
    Source: describeOrigin(signUp.utm, signUp.friend_of !== null) || "–",
  };
}

/** Keyed by column, so that leaving out a field of the form is a type error. */
function formFields({ first_name, last_name, email, company }: PersonColumns) {
  return {
    first_name: ["Name", `${first_name} ${last_name}`],
    email: ["Email", email],
    company: ["Company", company ?? "–"],
  } satisfies Record<Exclude<keyof PersonColumns, "email_key" | "last_name" | "newsletter">, [string, string]>;
}
