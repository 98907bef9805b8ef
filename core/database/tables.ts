import type { ColumnType, Generated } from "kysely";

/** The tables as of the newest migration. */
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
  /** At most one row: until when confirmation mail is held back. */
  mail_hold: { only_row: Generated<boolean>; until: Date };
  /** When each nightly task last succeeded. */
  maintenance_runs: { task: string; succeeded_at: Date };
}

/** The form's fields. Add the column of a new field here, and the compiler names every place that needs it. */
export interface PersonColumns {
  /** The canonical address: the same key is the same person. */
  email_key: string;
  /** The address as typed; mail goes to this one. */
  email: string;
  first_name: string;
  last_name: string;
  company: string | null;
  newsletter: boolean;
}

/** The columns of a sign-up when it is inserted. */
export interface NewSignUp extends PersonColumns {
  company_key: string | null;
  /** Identifies the filled form: a retry with the same key is the same sign-up. */
  idempotency_key: string | null;
  /** The UTM parameters of the campaign that brought them. */
  utm: object | null;
  /** The mailbox that the address belongs to; null if that is the address itself. */
  mailbox_key: string | null;
  /** Stands for the network of a sign-up whose mail is due, and for hundreds of others: by it, networks take turns. */
  mail_network: number | null;
}

interface SignUps extends Omit<NewSignUp, "utm"> {
  id: ColumnType<string, never, never>;
  utm: ColumnType<Record<string, string> | null, object | null, never>;
  joined_at: Generated<Date>;
  confirmed_at: ColumnType<Date | null, never, Date>;
  invited_at: ColumnType<Date | null, never, Date>;
  wave_id: ColumnType<string | null, never, string>;
  /** Set by the sign-up if mail is enabled, cleared by the mail worker. */
  mail_due: Generated<boolean>;
  /** How many confirmation mails were sent. */
  mails: Generated<number>;
  last_mail_at: ColumnType<Date | null, never, Date>;
  /** When the receiving server permanently rejected the address. */
  rejected_at: ColumnType<Date | null, never, Date | null>;
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

/** The total is the sum of all slots. bigint arrives as a string; both counts stay far below 2^53. */
interface Totals {
  slot: number;
  users: string;
  companies: string;
}

/** Append-only: who gave or withdrew consent, when, and to which wording. */
interface Consents {
  sign_up_id: string;
  wording_version: number;
  given: boolean;
  at: Generated<Date>;
}

/** Erased addresses as keyed hashes: enough to erase them again when a restored backup brings them back. */
interface Erasures {
  address_hash: Buffer;
  erased_at: Date;
}
