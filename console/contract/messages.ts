/** Messages and waves, as the console's page and its API exchange them. */
import type { Json } from "#console/json.ts";
import type { WaveResults } from "#core/waitlist/wave-results.ts";

export type MessageKind = "invitation" | "announcement";
export type MessageState = "draft" | "sending" | "paused" | "done" | "canceled";

export interface Pace {
  count: number;
  unit: "hour" | "day";
}

/** The audience's filters as in the URL of a view: "yes" or "no", dates like 2026-11-30, `next` as digits. */
export type AudienceFields = Record<string, string>;

export interface DraftFields {
  subject: string;
  /** In Markdown. */
  body: string;
  audience: AudienceFields;
  /** Null for as fast as the servers may send. */
  pace: Pace | null;
}

export interface MessageRow {
  id: string;
  kind: MessageKind;
  subject: string;
  state: MessageState;
  pace: Pace | null;
  waveId: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  /** Whether everyone who gets it is in its audience. */
  isPrepared: boolean;
  /** The number of people in each state. */
  progress: Record<"pending" | "sent" | "rejected" | "skipped" | "failed", number>;
}

export interface Message extends MessageRow, DraftFields {}

/** Why people didn't get a message. */
export interface Reason {
  reason: string;
  people: number;
}

export interface Reasons {
  skipped: Reason[];
  failed: Reason[];
}

/** Who would get a draft, before anything is sent. */
export interface Split {
  /** Everyone that the filters select. */
  matching: number;
  recipients: number;
  refused: Reason[];
  /** Recipients who are in the audience already, because sending it was interrupted. */
  added: number;
}

export type ColorScheme = "light" | "dark";

export interface Preview {
  /** The path of the HTML, for a frame. It works for a minute. */
  path: string;
  /** Null if mail is off. */
  from: string | null;
  subject: string;
  text: string;
}

export interface TestResult {
  outcome: "sent" | "rejected" | "refused" | "failed";
}

export interface MessageSettings {
  /** Whether messages can be sent from here. */
  isMailed: boolean;
  /** What an invitation says unless the operator writes their own. Null without INVITE_URL, its link. */
  invitation: { subject: string; body: string } | null;
}

export type Wave = Json<WaveResults>;

export interface Uninvited {
  uninvited: number;
}
