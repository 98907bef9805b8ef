/** Messages, as the console's page and its API exchange them. */
import type { toMessage, toReasons, toRow, toSplit } from "#console/json/messages.ts";
import type { sendTest } from "#core/messages/preview.ts";
import type { Json } from "./json.ts";

export type MessageRow = Json<ReturnType<typeof toRow>>;
export type Message = Json<ReturnType<typeof toMessage>>;
export type AudienceFields = Message["audience"];
export type MessageKind = Message["kind"];
export type MessageState = Message["state"];
/** A message without a pace is sent as fast as MAIL_PER_MINUTE allows. */
export type Pace = NonNullable<Message["pace"]>;
/** `version` is the version that the user edited. */
export type DraftFields = Pick<Message, "subject" | "body" | "audience" | "pace" | "delay" | "version">;

export type Reasons = ReturnType<typeof toReasons>;
export type Reason = Reasons["skipped"][number];
export type Split = ReturnType<typeof toSplit>;

export type ColorScheme = "light" | "dark";

export interface Preview {
  /** The path of the HTML for an iframe. It works for a minute. */
  path: string;
  /** Null if mail is off. */
  from: string | null;
  subject: string;
  text: string;
}

export type TestResult = Pick<Extract<Awaited<ReturnType<typeof sendTest>>, { outcome: unknown }>, "outcome">;

export interface MessageSettings {
  isMailed: boolean;
  /** Whether mail is on and this console has the mail server's credentials, which the team's console never has. */
  canTest: boolean;
  /** The default texts of built-in messages. */
  confirmation: { subject: string; body: string };
  reminder: { subject: string; body: string };
  /** How many emails of messages may be sent per minute. Null without mail settings. */
  perMinute: number | null;
  /** The default text of an invitation. Null without INVITE_URL, which its link needs. */
  invitation: { subject: string; body: string } | null;
}
