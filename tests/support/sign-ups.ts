import type { SignUp } from "#contract/sign-up.ts";

let count = 0;

/** A valid sign-up with a unique address. */
export function aSignUp(changes: Partial<SignUp> = {}): SignUp {
  count += 1;
  return {
    firstName: "Ada",
    lastName: "Lovelace",
    email: `ada${count}.${process.pid}@example.com`,
    company: "",
    newsletter: false,
    website: "",
    ...changes,
  };
}
