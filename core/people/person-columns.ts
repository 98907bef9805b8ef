import { type SignUp, VISIBLE } from "#contract/sign-up.ts";
import type { PersonColumns } from "#core/database/tables.ts";
import { emailKey } from "./address.ts";
import { companyKey } from "./company-key.ts";
import { searchWords } from "./search-words.ts";

/** SQL types of the form's columns, the same on the list and in quarantine. */
export const PERSON_TYPES: Record<keyof PersonColumns, string> = {
  email_key: "text",
  email: "text",
  first_name: "text",
  last_name: "text",
  company: "text",
  newsletter: "boolean",
};

/** Everything that the derived columns may be computed from. */
export const PERSON_COLUMNS = Object.keys(PERSON_TYPES) as (keyof PersonColumns)[];

/** A column definition list for json_to_recordset: "email text, newsletter boolean". */
export function columnDefinitions(columns: Record<string, string>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(", ");
}

/** Undefined if the address can't exist. */
export function personColumns(signUp: SignUp): PersonColumns | undefined {
  const { firstName, lastName, email, company, newsletter, website, ...unknown } = signUp;
  // A type error if the contract gets a field that has no column here.
  unknown satisfies Record<string, never>;
  const email_key = emailKey(email);
  if (!email_key) return undefined;
  return {
    email_key,
    email,
    first_name: firstName,
    last_name: lastName,
    company: VISIBLE.test(company) ? company : null,
    newsletter,
  };
}

/** Columns computed from the form's fields. After a rule changes, run `npx waitlist verify --repair`. */
export function derivedColumns(person: Omit<PersonColumns, "newsletter">) {
  const email_key = emailKey(person.email) ?? person.email_key;
  return {
    email_key,
    company_key: companyKey(person.company ?? "") ?? null,
    search_words: searchWords({ ...person, email_key }),
  };
}
