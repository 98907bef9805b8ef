/** What the console's page and its API exchange, as JSON: dates are ISO strings. */
export interface Me {
  product: string;
  operator: string;
  isReadOnly: boolean;
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
  /** Where the next page starts; null on the last one. */
  next: string | null;
}

export interface PeopleCount {
  people: number;
  /** Whether it comes from PostgreSQL's statistics, because an exact count would read the whole list. */
  isEstimate: boolean;
}

export interface Person extends PersonRow {
  utm: Record<string, string> | null;
  consents: { given: boolean; at: string; version: number; wording: string }[];
}

export const RANGES = ["24h", "7d", "30d", "all"] as const;
export type Range = (typeof RANGES)[number];

export interface Funnel {
  joined: number;
  confirmed: number;
  invited: number;
}

export interface Overview {
  madeAt: string;
  /** People on the list who aren't in the other numbers yet. */
  uncounted: number;
  people: number;
  companies: number;
  confirmed: number;
  invited: number;
  newsletter: number;
  rejected: number;
  quarantined: number;
  /** Of people who joined in the range, like everything up to `otherSources`. */
  funnel: Funnel;
  intervalMs: number;
  intervals: { from: string; joined: number }[];
  sources: (Funnel & { source: string | null; medium: string | null; campaign: string | null })[];
  otherSources: Funnel;
  topCompanies: { name: string; people: number }[];
  topDomains: { name: string; people: number }[];
  newest: PersonRow[];
  mail: MailHealth;
}

export interface MailHealth {
  waiting: number;
  waitingSince: string | null;
  dead: number;
  perMinute: number;
  lastSentAt: string | null;
  lastFailure: { reason: "refused" | "invalid" | "expired"; at: string } | null;
  heldUntil: string | null;
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

export const PAGE_SIZE = 100;
