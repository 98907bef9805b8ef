import type { ColumnType, Generated, Insertable } from "kysely";

/** The tables as the newest migration leaves them. */
export interface Tables {
  sign_ups: SignUps;
  companies: { key: string; sign_ups: number };
  totals: Totals;
  quarantine: Quarantine;
  consents: Consents;
  consent_wordings: { version: number; wording: string };
  erasures: Erasures;
  mail_minutes: { minute: Date; mails: number };
}

interface Person {
  id: ColumnType<string, never, never>;
  /** The canonical address, which decides who is the same person. */
  email_key: string;
  /** The address as typed, which is the one to write to. */
  email: string;
  first_name: string;
  last_name: string;
  company: string | null;
  newsletter: boolean;
}

interface SignUps extends Person {
  company_key: string | null;
  /** Of the filled form that sent it: the same form sent again is the same sign-up. */
  idempotency_key: string | null;
  joined_at: Generated<Date>;
  /** Of the campaign that brought them, by what it called itself. */
  utm: ColumnType<Record<string, string> | null, object | null, never>;
  confirmed_at: ColumnType<Date | null, never, Date>;
  invited_at: ColumnType<Date | null, never, Date>;
  /** Set by the sign-up itself, where mail is sent at all; the mail worker takes it away. */
  mail_due: Generated<boolean>;
  /** How many were sent to confirm the address. */
  mails: Generated<number>;
  last_mail_at: ColumnType<Date | null, never, Date>;
  /** When the receiving server refused the address for good. */
  rejected_at: ColumnType<Date | null, never, Date | null>;
}

interface Quarantine extends Person {
  /** What filled the honeypot: an operator tells autofill from a bot by it. */
  website: string;
  caught_at: Generated<Date>;
}

/** The sum of all slots counts. bigint arrives as a string; both counts stay far below 2^53. */
interface Totals {
  slot: number;
  users: string;
  companies: string;
}

/** Never changed, only added to: who agreed, or no longer does, when, and to which words. */
interface Consents {
  sign_up_id: string;
  wording_version: number;
  given: boolean;
  at: Generated<Date>;
}

/** Who was erased, as a keyed hash: enough to erase them again when a restored backup brings them back. */
interface Erasures {
  address_hash: Buffer;
  erased_at: Date;
}

export type NewSignUp = Insertable<SignUps>;
