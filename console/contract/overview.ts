/** The overview, as the console's page and its API exchange it. */

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
  newest: Arrival[];
  mail: MailHealth;
}

export interface Arrival {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  company: string | null;
  joinedAt: string;
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
