import type { Database } from "#core/database/connect.ts";
import { type Consent, readConsentBatches } from "#core/database/consents.ts";
import type { PersonColumns, Tables } from "#core/database/tables.ts";
import { readMailbox } from "#core/mail/mailboxes.ts";
import { readDeliveries, readQuarantineBatches, readSignUp } from "#core/waitlist/person-data.ts";

/** What each column is called in the file. The type makes every new column part of it. */
const FORM_NAMES: Record<keyof PersonColumns, string> = {
  first_name: "First name",
  last_name: "Last name",
  email: "Email address",
  email_key: "Email address, normalized to find duplicates",
  company: "Company",
  newsletter: "Subscribed to product news",
};
const SIGN_UP_NAMES: Record<keyof Tables["sign_ups"], string> = {
  ...FORM_NAMES,
  company_key: "Company, normalized to count each one once",
  search_words: "Words of your name, company and address, to find you by",
  joined_at: "Joined",
  confirmed_at: "Email address confirmed",
  invited_at: "Invited",
  wave_id: "Number of the wave of invitations",
  utm: "Campaign named in the link that brought you here",
  id: "Number on the list",
  mail_due: "Another one is about to be sent",
  rejected_at: "Rejected by your mail server",
  mail_network: "Number of your network until the email is sent, shared by many",
  idempotency_key: "Random number that identifies the form you sent",
};
const CONSENT_NAMES: Record<keyof Consent, string> = {
  given: "Agreed",
  at: "When",
  wording: "To what",
  version: "Version of the wording",
};
const QUARANTINE_NAMES: Record<keyof Tables["quarantine"], string> = {
  ...FORM_NAMES,
  website: "Text in the hidden field that catches bots",
  caught_at: "Sent",
  id: "Number",
};

const DELIVERY_NAMES: Record<keyof Awaited<ReturnType<typeof readDeliveries>>[number], string> = {
  kind: "Kind",
  subject: "Subject",
  state: "State",
  reason: "Why it wasn't sent",
  copies: "How many times",
  created_at: "Written",
  first_tried_at: "First tried",
  tried_at: "Last tried",
  next_try_at: "Next try, while it isn't sent",
  sent_at: "Accepted by the mail server",
};

const MAILBOX_NAMES: Record<keyof Tables["mailboxes"], string> = {
  mailbox: "Mailbox, which several addresses can share",
  mailed_at: "Last emails that confirm an address or contain a link, three at most",
};

/**
 * Everything stored about one person as indented JSON, under names that they understand. A batch at a time: a long
 * ledger takes neither memory nor the event loop at once.
 */
export async function* memberDataJson(db: Database, emailKey: string): AsyncGenerator<string> {
  const signUp = await readSignUp(db, emailKey);
  yield `{\n  "Your sign-up": ${signUp ? indented(renamed(signUp, SIGN_UP_NAMES), 1) : "null"},`;
  yield `\n  "Your choices about product news": `;
  yield* jsonArray(signUp ? readConsentBatches(db, signUp.id) : [], CONSENT_NAMES);
  yield `,\n  "Emails to you": `;
  yield* jsonArray(signUp ? [await readDeliveries(db, signUp.id)] : [], DELIVERY_NAMES);
  const mailbox = await readMailbox(db, emailKey);
  yield `,\n  "Your mailbox": ${mailbox ? indented(renamed(mailbox, MAILBOX_NAMES), 1) : "null"}`;
  yield `,\n  "Forms held for review because they looked automated": `;
  yield* jsonArray(readQuarantineBatches(db, emailKey), QUARANTINE_NAMES);
  yield "\n}\n";
}

/** In the order of the names, which is the order a person reads them in. */
function renamed<Row extends object>(row: Row, names: Record<keyof Row & string, string>): object {
  const columns = Object.entries<string>(names) as [keyof Row, string][];
  return Object.fromEntries(columns.map(([column, name]) => [name, row[column]]));
}

/** As JSON.stringify() with an indent of two would write it, one level deep. */
async function* jsonArray<Row extends object>(
  batches: AsyncIterable<Row[]> | Row[][],
  names: Record<keyof Row & string, string>,
): AsyncGenerator<string> {
  let count = 0;
  for await (const rows of batches) {
    const items = rows.map((row) => `${count++ === 0 ? "[" : ","}\n    ${indented(renamed(row, names), 2)}`);
    yield items.join("");
  }
  yield count === 0 ? "[]" : "\n  ]";
}

function indented(value: object, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${"  ".repeat(depth)}`);
}
