import type { ColumnType, Generated } from "kysely";
import type { Address } from "#contract/sign-up.ts";

/** The tables as of the newest migration, in one file because they are one schema. */
export interface Tables {
  sign_ups: SignUps;
  questions: Questions;
  companies: { key: string; sign_ups: number };
  /** The total is the sum of all slots. bigint arrives as a string. */
  totals: { slot: number; users: string; companies: string };
  waves: { id: Generated<string>; invited_at: Date };
  quarantine: Quarantine;
  /** New sign-ups of these domains go to quarantine. */
  quarantined_domains: { domain: string; valid_until: Date };
  /** Append-only: who gave or withdrew consent, when, and to which wording. */
  consents: { sign_up_id: string; wording_version: number; given: boolean; at: Generated<Date> };
  consent_wordings: { version: number; wording: string };
  /** Erased addresses as keyed hashes: enough to erase them again when a restored backup brings them back. */
  erasures: Erasures;
  messages: Messages;
  deliveries: Deliveries;
  delivery_counts: DeliveryCounts;
  /** The last three confirmations to any tagged or dotted spelling of a mailbox, newest first. */
  mailboxes: { mailbox: string; mailed_at: Generated<Date[]>; unsubscribed_at: Date | null };
  /** `bulk` excludes confirmations and links, `people` counts first attempts, `gmail` first attempts to Gmail. */
  mail_minutes: { minute: Date; mails: number } & Record<"bulk" | "people" | "gmail", Generated<number>>;
  /** Mail providers that report bounces: how many people each suppressed in a day, and when that became too many. */
  mail_sources: { source: string; suppressed: number; since: Date; stopped_at: Date | null };
  /** `pem` is null until a worker has fetched the certificate. */
  sns_certificates: { url: string; pem: string | null };
  /** One row: whether the servers send mail. */
  mail_switch: { only_row: Generated<boolean>; is_on: boolean };
  maintenance_runs: { task: string; succeeded_at: Date };
  activity: Activity;
  /** Roles in the team's console, for an address or for "@" and a domain. */
  console_roles: { who: string; role: "viewer" | "editor" | "admin" };
  /** The first account that signed in with each address. */
  console_operators: { issuer: string; subject: string; email: string; signed_in_at: Generated<Date> };
  console_sessions: ConsoleSessions;
  overview_figures: OverviewFigures;
  page_views: PageViews;
  /** The newest secret signs acceptances of invitations; the previous one works for another day. */
  acceptance_secrets: { id: Generated<string>; secret: string; created_at: Generated<Date> };
  webhook_endpoints: WebhookEndpoints;
  webhook_events: WebhookEvents;
  webhook_deliveries: WebhookDeliveries;
}

declare const isKey: unique symbol;
/** Only core/people/address.ts makes an EmailKey. */
export type EmailKey = string & { [isKey]: true };

declare const isOrigin: unique symbol;
/** Only core/people/origin.ts makes a Utm. */
type Utm = Record<string, string> & { [isOrigin]: true };
/** Only core/links/friend-links.ts makes a FriendOf. */
export type FriendOf = string & { [isOrigin]: true };

/** The form's fields. Add the column of a new field here, and the compiler names every place that needs it. */
export interface PersonColumns {
  /** The canonical address: the same key is the same person. */
  email_key: EmailKey;
  /** The address as typed; mail goes to this one. */
  email: Address;
  first_name: string;
  last_name: string;
  company: string | null;
  newsletter: boolean;
}

export interface NewSignUp extends PersonColumns {
  company_key: string | null;
  /** The searchable words, as a tsvector. */
  search_words: string;
  /** Identifies the filled-in form: a retry with the same key is the same sign-up. */
  idempotency_key: string | null;
  utm: Utm | null;
  /** The id of the member whose link brought this person. No foreign key, because the member may leave. */
  friend_of: FriendOf | null;
  /** Hash of the client's network, which mail is limited by, or NO_NETWORK. */
  mail_network: number;
}

interface SignUps extends Omit<NewSignUp, "utm" | "mail_network" | "search_words"> {
  id: ColumnType<string, never, never>;
  search_words: Generated<string>;
  utm: ColumnType<Record<string, string> | null, object | null, never>;
  joined_at: Generated<Date>;
  confirmed_at: ColumnType<Date | null, never, Date>;
  invited_at: ColumnType<Date | null, never, Date>;
  /** When they used their invitation, as reported by the product. */
  accepted_at: ColumnType<Date | null, never, Date>;
  /** The last wave, even if the invitation was taken back. */
  wave_id: ColumnType<string | null, never, string>;
  /** The network that asked for the mail that is due; null if none is. Set if mail is on, cleared by the mail worker. */
  mail_network: ColumnType<number | null, never, number | null>;
  /** When we sent the mail that bounced, or when someone complained or an operator imported the bounce. */
  suppressed_at: ColumnType<Date | null, never, Date | null>;
  /** How many confirmed friends count, one per mailbox and four at most, as of the last midnight UTC. Null if voided. */
  friends: Generated<number | null>;
  /** How many of them confirmed on the day before. Stored, because a friend who leaves must not change it that day. */
  friends_gained: Generated<number>;
  /** The order of the line: when the person joined, a week earlier per friend. Null for anyone who isn't in line. */
  line_at: ColumnType<Date | null, never, never>;
  /** The numbers of the selected choices, starting at 1, by question id. */
  answers: ColumnType<Record<string, number[]> | null, never, never>;
  /**
   * When an operator set this person aside: not counted, listed, mailed or invited, but known to everything else. Equal
   * to the time of the operation's first activity.
   */
  set_aside_at: ColumnType<Date | null, never, Date | null>;
}

/** Members answer these on their page. */
interface Questions {
  id: ColumnType<string, never, never>;
  /** Counts the edits. */
  version: Generated<number>;
  /** The question's place on the page; null once retired. */
  position: number | null;
  text: string;
  choices: string[];
  is_multiple: boolean;
  retired_at: Date | null;
}

/** The columns of a sign-up that filled the honeypot. */
export interface NewQuarantined extends PersonColumns {
  /** The honeypot's value, by which an operator tells autofill from a bot. */
  website: string;
}

interface Quarantine extends NewQuarantined {
  id: ColumnType<string, never, never>;
  caught_at: Generated<Date>;
}

interface Erasures {
  address_hash: Buffer;
  erased_at: Date;
  /** How often this address was erased. */
  times: Generated<number>;
  /** The last transaction that erased it, which may not erase another. */
  transaction: Generated<string>;
}

/** A message to many people. The first three rows stand for all reminders, confirmations and links. */
interface Messages {
  id: ColumnType<string, never, never>;
  kind: "confirmation" | "link" | "reminder" | "invitation" | "announcement";
  subject: string;
  body: string;
  audience: ColumnType<object, string, string>;
  /** Mails per `pace_unit`; null means as fast as MAIL_PER_MINUTE allows. */
  pace: number | null;
  pace_unit: "hour" | "day" | null;
  /** Counts the edits of a draft. */
  version: Generated<number>;
  state: Generated<"draft" | "sending" | "paused" | "done" | "canceled">;
  wave_id: string | null;
  created_at: Generated<Date>;
  /** When the first people were added to the audience, which can't be edited after that. */
  preparing_since: Date | null;
  prepared_at: Date | null;
  started_at: Date | null;
  finished_at: Date | null;
  /** When the pace allows the next mail. */
  next_release_at: Generated<Date>;
  /** Why the message paused itself. Kept when an operator resumes it, so that it pauses only once. */
  pause_reason: "bounces" | "complaints" | null;
  /** Only for the reminder: the days from joining until it is sent, and the last sign-up considered for it. */
  after_days: number | null;
  reminded_to: string | null;
}

/** One message to one person. */
interface Deliveries {
  message_id: string;
  sign_up_id: string;
  state: Generated<"pending" | "sent" | "bounced" | "complained" | "skipped" | "failed">;
  /** Why the mail was skipped or failed, the codes of a pending mail's failure, or why no further copy is sent. */
  reason: string | null;
  /** How many copies of a confirmation or link, including this one. */
  copies: Generated<number>;
  created_at: Generated<Date>;
  /** When this copy was first tried. */
  first_tried_at: Date | null;
  tried_at: Date | null;
  /** When the mail may be tried again: after a failed attempt, or once a killed worker's lease has ended. */
  next_try_at: Date | null;
  /** When the mail server last accepted a copy. */
  sent_at: Date | null;
  /** When the last five copies of a confirmation or link were first tried, newest first. */
  mailed_at: Generated<Date[]>;
  /** Not counted in complaint rates, because Gmail never reports who complained. */
  is_gmail: Generated<boolean>;
  /** When the mail bounced, was complained about or refused, and who said so: "smtp", "import" or a mail provider. */
  reported_at: Date | null;
  reported_by: string | null;
  soft_bounced_at: Date | null;
  /** When the person unsubscribed, if this was their last mail before that. */
  unsubscribed_at: Date | null;
}

/** Updated by triggers on `deliveries`; a count is the sum of all slots. Mails to people who left stay counted. */
interface DeliveryCounts {
  message_id: string;
  state: string;
  slot: number;
  deliveries: number;
  /** Deliveries of which at least one copy was sent. */
  reached: number;
  /** How many `reached` deliveries went to Gmail. */
  gmail: number;
  soft_bounced: number;
  unsubscribed: number;
  last_sent_at: Date | null;
}

/** Append-only log of operators' actions. No foreign key, because an entry outlives the person. */
interface Activity {
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  actor: string;
  via: "console" | "command line";
  /** An Action of core/activity/activity-text.ts. */
  action: string;
  person_id: string | null;
  message_id: string | null;
  /** The message's subject or the question's text, at the time of the action. */
  subject: string | null;
  wave_id: string | null;
  webhook_id: string | null;
  count: number | null;
  /** The first entry of a change that spans several transactions. Readers add up the counts of all its entries. */
  continues: string | null;
  /** The operator, or domain of operators, whose role or session was changed. */
  operator: string | null;
}

interface ConsoleSessions {
  id: Generated<string>;
  token_hash: Buffer;
  issuer: string;
  email: string;
  role_from_claim: "viewer" | "editor" | "admin" | null;
  /** Sealed with a key that isn't in the database. */
  id_token: string;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
}

/** At most one row: the console's figures for a long list. Has only counts, and names that several people share. */
interface OverviewFigures {
  only_row: Generated<boolean>;
  counted_at: Date;
  /** The id of the newest activity when the list was counted. */
  last_activity: string;
  figures: ColumnType<object, string, never>;
  took_ms: ColumnType<object, string, never>;
}

/** Page views per hour (UTC) and campaign. A name that the page's URL lacks is empty. */
export interface PageViews extends Record<"source" | "medium" | "campaign", string> {
  hour: Date;
  /** Whether this row sums up the hour's campaigns past the limit. */
  is_other: boolean;
  views: number;
  /** Whether a cache requested the page, so that the real number of views is higher. */
  is_partial: boolean;
}

/** A receiver of webhooks. Its URL is a secret too, because many receivers put a token into it. */
interface WebhookEndpoints extends Record<"id" | "url" | "host", string> {
  /** The newest secret first. The others also sign for a day after `rotated_at`. */
  secrets: string[];
  rotated_at: Date;
  /** What events say about a person, or "digest" for numbers in Slack. */
  sends: "pseudonyms" | "contact" | "digest";
  /** "disabled" after three days of failure, "gone" after a 410. */
  state: "active" | "paused" | "disabled" | "gone";
  /** The position of the last event that was delivered or set aside. */
  cursor: string;
  attempts: number;
  failing_since: Date | null;
  /** The time of the next attempt, set by pace, backoff or a worker's lease. */
  next_try_at: Date;
}

/** Events about people (by pseudonym once erased), and endpoint tests. No position until a worker numbers them. */
interface WebhookEvents extends Record<"id" | "webhook_id" | "type", string> {
  position: string | null;
  person_id: string | null;
  sub: string | null;
  endpoint_id: string | null;
  at: Date;
}

/** One attempt. The status is the response's, or says why there was no response. */
type WebhookDeliveries = Record<"id" | "endpoint_id" | "webhook_id" | "type" | "status" | "outcome", string> & {
  attempt: number;
  at: Date;
};
