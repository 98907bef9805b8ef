import type { Json } from "#console/json.ts";
import type { AudienceEstimate } from "#core/mail/audience-estimate.ts";
import type { PeopleCount as CoreCount } from "#core/waitlist/people-count.ts";
import type { PeoplePage as CorePage, PagedPerson } from "#core/waitlist/people-page.ts";

/** What the console's page and its API exchange, as JSON: dates are ISO strings. */
export interface Me {
  product: string;
  operator: string;
  isReadOnly: boolean;
  /** Whether mail is on, so that people can be emailed. */
  isMailed: boolean;
  /** How many days the links to people's pages work; null if exports can't contain any. */
  linkDays: number | null;
}

export type PersonRow = Json<PagedPerson>;
export type PeoplePage = Json<CorePage>;
export type PeopleCount = Json<CoreCount>;

/** In place of a split while a draft is edited, if counting takes too long. */
export interface SplitEstimate {
  estimate: AudienceEstimate;
}

export type ExportState = "waiting" | "running" | "done" | "canceled" | "failed";

export interface ExportStatus {
  /** Also the ticket by which the file is downloaded, once. */
  id: string;
  name: string;
  startedAt: string;
  state: ExportState;
  /** Written so far. */
  people: number;
  total: PeopleCount;
}

export interface Person extends PersonRow {
  utm: Record<string, string> | null;
  consents: { given: boolean; at: string; version: number; wording: string }[];
  deliveries: Delivery[];
  /** The newest entries about this person alone. */
  activity: ActivityEntry[];
}

/** A mail to one person. */
export interface Delivery {
  kind: "confirmation" | "link" | "invitation" | "announcement";
  subject: string;
  state: "pending" | "sent" | "rejected" | "skipped" | "failed";
  /** Why it was skipped or failed. */
  why: string | null;
  /** When it was sent, or else last tried or put in line. */
  at: string;
}

/** What an operator did, as a sentence around the person whom it was done to. */
export interface ActivityEntry {
  id: string;
  at: string;
  actor: string;
  via: string;
  before: string;
  /** Null if it is about nobody, or about someone who is no longer on the list. */
  person: { id: string; email: string } | null;
  after: string;
}

export interface ActivityPage {
  entries: ActivityEntry[];
  /** Where the next page starts; null on the last one. */
  next: string | null;
}

export interface QuarantineEntry {
  id: string;
  caughtAt: string;
  email: string;
  firstName: string;
  lastName: string;
  company: string | null;
  website: string;
}

/** What became of released entries: joined, or on the list already. */
export interface Released {
  joined: number;
  known: number;
}

export interface Dropped {
  dropped: number;
}

export const PAGE_SIZE = 100;
/** Once someone goes on scrolling. */
export const MAX_PAGE_SIZE = 500;
