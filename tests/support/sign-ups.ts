import type { SignUp } from "#contract/sign-up.ts";

let people = 0;

/** A valid sign-up with an address nobody used before. */
export function aSignUp(changes: Partial<SignUp> = {}): SignUp {
  people += 1;
  return {
    firstName: "Ada",
    lastName: "Lovelace",
    email: `ada${people}.${process.pid}@example.com`,
    company: "",
    newsletter: false,
    website: "",
    ...changes,
  };
}
