import type { Database } from "#core/database/connect.ts";
import type { EmailKey, PersonColumns, Tables } from "#core/database/tables.ts";
import { ANSWER_SEPARATOR } from "#core/people/questions.ts";
import { type PersonData, readPersonData } from "./person-data.ts";

/** Column labels in the file. The type requires one for every new column. */
const FORM_NAMES: Record<keyof PersonColumns, string> = {
  first_name: "First name",
  last_name: "Last name",
  email: "Email address",
  email_key: "Email address, simplified so that it joins only once",
  company: "Company",
  newsletter: "Subscribed to product news",
};
const SIGN_UP_NAMES: Record<Exclude<keyof Tables["sign_ups"], "answers">, string> = {
  ...FORM_NAMES,
  company_key: "Company, simplified so that it counts once",
  search_words: "Words by which we can find you",
  joined_at: "Joined",
  confirmed_at: "Email address confirmed",
  invited_at: "Invited",
  accepted_at: "Invitation accepted",
  wave_id: "Round of invitations",
  utm: "Campaign named in the link that brought you here, or where else you gave us your address",
  id: "Number on the list",
  suppressed_at: "No more email since",
  set_aside_at: "Set aside",
  line_at: "Your place in line is by this time: when you joined, a week earlier for each of up to four friends",
  friend_of: "Number of the member whose link brought you here",
  friends: "Friends who joined through your link and confirmed before today, up to four; empty if they don't count",
  friends_gained: "How many of them confirmed yesterday",
  mail_network: "Number made from your network, while an email to you is about to be sent",
  idempotency_key: "Random number that identifies the form you sent",
};
const CONSENT_NAMES: Record<keyof PersonData["consents"][number], string> = {
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

const DELIVERY_NAMES: Record<keyof PersonData["deliveries"][number], string> = {
  kind: "Kind",
  subject: "Subject",
  state: "State",
  reason: "Why it wasn't sent",
  copies: "How many times",
  created_at: "Written",
  first_tried_at: "First tried",
  tried_at: "Last tried",
  next_try_at: "Next try, if one is needed",
  sent_at: "Accepted by the mail server",
  mailed_at: "Last five copies",
  is_gmail: "To a Gmail address",
  reported_at: "Returned, or reported as spam",
  reported_by: "Who told us",
  soft_bounced_at: "Couldn't be delivered for a while",
  unsubscribed_at: "You unsubscribed after it",
};

const MAILBOX_NAMES: Record<keyof Tables["mailboxes"], string> = {
  mailbox: "Mailbox, which several addresses can share",
  mailed_at: "Last three emails to confirm its address spelled with a tag or dots",
  unsubscribed_at: "Unsubscribed from emails to confirm an address",
};

/** Everything stored about one person, with labels that they understand. */
export async function readDownload(db: Database, emailKey: EmailKey): Promise<object> {
  const { mailbox, quarantine, signUp, answers, consents, deliveries, events } = await readPersonData(db, {
    email_key: emailKey,
  });
  return {
    "Your sign-up": signUp && renamed(withoutNumbers(signUp), SIGN_UP_NAMES),
    "Your answers": answers.map(({ question, choices }) => ({ [question]: choices.join(ANSWER_SEPARATOR) })),
    "Your choices about product news": consents.map((consent) => renamed(consent, CONSENT_NAMES)),
    "Emails to you": deliveries.map((delivery) => renamed(delivery, DELIVERY_NAMES)),
    "Events about you for our other systems": events.map((event) => renamed(event, { type: "What", at: "When" })),
    "Your mailbox": mailbox ? renamed(mailbox, MAILBOX_NAMES) : null,
    "Forms held for review because they looked automated": quarantine.map((form) => renamed(form, QUARANTINE_NAMES)),
  };
}

/** Drops the numbers of the chosen answers, because the answers are listed as text. */
function withoutNumbers(signUp: NonNullable<PersonData["signUp"]>) {
  const { answers: _, ...row } = signUp;
  return row;
}

/** Renames the columns and sorts them like `names`, in an order that suits a reader. */
function renamed<Name extends string>(row: Record<Name, unknown>, names: Record<Name, string>): object {
  const columns = Object.entries<string>(names) as [Name, string][];
  return Object.fromEntries(columns.map(([column, name]) => [name, row[column]]));
}
