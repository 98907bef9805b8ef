import type { SignUp } from "#contract/sign-up.ts";
import type { PersonColumns } from "#core/database/tables.ts";
import { emailKey } from "./email-key.ts";

/** What the form asks for, by column, with the type: in the list and in quarantine alike. */
export const PERSON_TYPES: Record<keyof PersonColumns, string> = {
  email_key: "text",
  email: "text",
  first_name: "text",
  last_name: "text",
  company: "text",
  newsletter: "boolean",
};

/** What the form sent, by column; undefined where the address can't exist. */
export function personColumns(signUp: SignUp): PersonColumns | undefined {
  const { firstName, lastName, email, company, newsletter, website, ...unknown } = signUp;
  // A field that is added to the contract and has no column here is an error of types.
  unknown satisfies Record<string, never>;
  const email_key = emailKey(email);
  if (!email_key) return undefined;
  return { email_key, email, first_name: firstName, last_name: lastName, company: company || null, newsletter };
}
