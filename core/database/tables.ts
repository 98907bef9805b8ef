import type { ColumnType, Generated } from "kysely";

/** The tables as the newest migration leaves them. */
export interface Tables {
  sign_ups: SignUps;
  companies: { key: string; sign_ups: number };
  totals: Totals;
  waves: { id: Generated<string>; invited_at: Date };
  quarantine: Quarantine;
  consents: Consents;
  consent_wordings: { version: number; wording: string };
  erasures: Erasures;
  mail_minutes: { minute: Date; mails: number };
}

/** What the form asks for. A new field gets its column here, and the compiler names every place that has to know it. */
export interface PersonColumns {
  /** The canonical address, which decides who is the same person. */
  email_key: string;
  /** The address as typed, which is the one to write to. */
  email: string;
  first_name: string;
  last_name: string;
  company: string | null;
  newsletter: boolean;
}

/** What a sign-up is written with. */
export interface NewSignUp extends PersonColumns {
  company_key: string | null;
  /** Of the filled form that sent it: the same form sent again is the same sign-up. */
  idempotency_key: string | null;
  /** Of the campaign that brought them, by what it called itself. */
  utm: object | null;
}

interface SignUps extends Omit<NewSignUp, "utm"> {
  id: ColumnType<string, never, never>;
  utm: ColumnType<Record<string, string> | null, object | null, never>;
  joined_at: Generated<Date>;
  confirmed_at: ColumnType<Date | null, never, Date>;
  invited_at: ColumnType<Date | null, never, Date>;
  wave_id: ColumnType<string | null, never, string>;
  /** Set by the sign-up itself, where mail is sent at all; the mail worker takes it away. */
  mail_due: Generated<boolean>;
  /** How many were sent to confirm the address. */
  mails: Generated<number>;
  last_mail_at: ColumnType<Date | null, never, Date>;
  /** When the receiving server refused the address for good. */
  rejected_at: ColumnType<Date | null, never, Date | null>;
}

/** What a filled honeypot is kept with. */
export interface NewQuarantined extends PersonColumns {
  /** What filled the honeypot: an operator tells autofill from a bot by it. */
  website: string;
}

interface Quarantine extends NewQuarantined {
  id: ColumnType<string, never, never>;
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
