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

export interface PersonRow {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  company: string | null;
  newsletter: boolean;
  joinedAt: string;
  confirmedAt: string | null;
  invitedAt: string | null;
  rejectedAt: string | null;
  source: string | null;
}

export interface PeoplePage {
  people: PersonRow[];
  /** Where the next page starts; null at the end. A page can be short: each request reads a limited number of rows. */
  next: string | null;
  /** When the last person that was read joined, if the page isn't full. */
  searchedTo: string | null;
}

export interface PeopleCount {
  people: number;
  /** Whether it comes from PostgreSQL's statistics, because an exact count would read the whole list. */
  isEstimate: boolean;
  /** Whether it is only known that there are fewer. */
  isMaximum?: boolean;
}

/** In place of a split while a draft is edited, if counting would read too much of the list for each change. */
export interface SplitEstimate {
  estimate: {
    matching: PeopleCount;
    /** Without the limit of an invitation. */
    recipients: PeopleCount;
  };
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
