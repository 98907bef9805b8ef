import type { Address, SignUp, SignUpInput } from "#contract/sign-up.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { emailKey } from "#core/people/address.ts";
import { originOfPage } from "#core/people/origin.ts";

let count = 0;

/** A sign-up with a unique address; the changes can make it invalid. */
export function aSignUp(changes: Partial<SignUpInput> = {}): SignUp {
  count += 1;
  return {
    firstName: "Ada",
    lastName: "Lovelace",
    email: `ada${count}.${process.pid}@example.com`,
    company: "",
    newsletter: false,
    website: "",
    ...changes,
  } satisfies Record<keyof SignUp, unknown> as SignUp;
}

/** The columns of an address, whether the form would accept it or not. */
export const stored = (email: string) => ({ email: email as Address, email_key: keyOf(email) });
export const keyOf = (email: string) => emailKey(email) as EmailKey;

/** The origin of a page whose URL names this campaign. */
export function cameFrom(campaign: Record<string, string>) {
  const parameters = Object.entries(campaign).map(([name, value]) => [`utm_${name}`, value]);
  return originOfPage(`https://farwatch.example/?${new URLSearchParams(parameters)}`);
}
