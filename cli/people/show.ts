import { type Command, negative, withMigratedDatabase } from "#cli/terminal/command.ts";
import { parseAddress } from "#cli/terminal/options.ts";
import { formatKeyValueList, formatTable } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import type { EmailKey, PersonColumns } from "#core/database/tables.ts";
import { describeReason } from "#core/mail/delivery-reasons.ts";
import { readRefusals } from "#core/mail/recipients.ts";
import { readMail } from "#core/mail/switch.ts";
import { type PersonData, readPersonData } from "#core/members/person-data.ts";
import { describeOrigin } from "#core/people/origin.ts";
import { formatDateTime } from "#core/text/format.ts";

export function addShow(program: Command): void {
  program
    .subcommand("show", "Show all data on one person, and why they get no mail")
    .argument("<address>", "Email address; case doesn't matter", parseAddress)
    .notes(`
Says for each kind of email whether they would get it, and for each email they
were due when it was sent or why it wasn't. If it is pending, see "waitlist mail
status". Someone with no data stored never joined, or was erased.

Examples:
  npx waitlist show ada@example.com

For someone who asks what data you have about them:
  (umask 77; npx waitlist show ada@example.com --json >ada.json)`)
    .action(show);
}

const show = withMigratedDatabase(async (db, emailKey: EmailKey) => {
  const data = await readPersonData(db, { email_key: emailKey });
  const isKnown = data.signUp !== null || data.quarantine.length > 0;
  if (!isKnown) return negative(`No data stored for ${emailKey}.`, data);
  const text = formatPersonData(data);
  return { text: data.signUp ? `${text}\n\n${await explainMail(db, data.signUp)}` : text, json: data };
});

async function explainMail(db: Database, { id, mail_network }: NonNullable<PersonData["signUp"]>): Promise<string> {
  const { confirmation, invitation, announcement } = await readRefusals(db, id);
  const describe = (reason: string | null) => (reason ? `no: ${describeReason(reason)}` : "yes");
  return formatKeyValueList({
    Mail: (await readMail(db)) ? "on" : "off, so nobody gets any",
    ...(mail_network !== null && { "Asked for an email": "yes, which waits for the mail worker" }),
    "May be asked to confirm": describe(confirmation),
    "May be invited by email": describe(invitation),
    "May get announcements": describe(announcement),
  });
}

export function formatPersonData({ signUp, answers, consents, deliveries, quarantine }: PersonData): string {
  const answered = answers.map(({ question, choices }) => ({ Question: question, Answer: choices.join(", ") }));
  const decisions = consents.map(({ given, at, version, wording }) => ({
    [given ? "Consented" : "Withdrew consent"]: formatDateTime(at),
    Wording: `“${wording}” (version ${version})`,
  }));
  const emails = deliveries.map(({ kind, subject, state, reason, sent_at, tried_at, next_try_at }) => ({
    Email: subject || kind,
    State: reason ? `${state}: ${describeReason(reason)}` : state,
    "Last sent": formatDateTime(sent_at),
    "Last tried": formatDateTime(tried_at),
    "Next try": state === "pending" ? formatDateTime(next_try_at) : "",
  }));
  const caught = quarantine.map(({ id, caught_at, website }) => ({
    "Quarantine ID": id,
    Caught: formatDateTime(caught_at),
    "Hidden field": website,
  }));
  const lists = [...(signUp ? [signUpFields(signUp)] : []), ...answered, ...decisions];
  const tables = [emails, caught].filter((rows) => rows.length > 0);
  return [...lists.map((list) => formatKeyValueList(list)), ...tables.map((rows) => formatTable(rows))].join("\n\n");
}

function signUpFields(signUp: NonNullable<PersonData["signUp"]>) {
  return {
    ...(signUp.set_aside_at && { "Set aside": formatDateTime(signUp.set_aside_at) }),
    ...Object.fromEntries(Object.values(formFields(signUp))),
    Joined: formatDateTime(signUp.joined_at),
    Newsletter: signUp.newsletter ? "yes" : "no",
    Confirmed: formatDateTime(signUp.confirmed_at),
    Invited: formatDateTime(signUp.invited_at),
    Accepted: formatDateTime(signUp.accepted_at),
    Suppressed: formatDateTime(signUp.suppressed_at),
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
