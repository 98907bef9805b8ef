import { FIRST_NAME_REQUIRED, INVALID_EMAIL, LAST_NAME_REQUIRED } from "./sign-up.ts";

/** What the page says of a sign-up that wasn't taken, by the fragment that a form sent without script comes back to. */
export const FORM_RETURNS = {
  "already-joined": "This email is already on our waitlist.",
  "first-name-missing": FIRST_NAME_REQUIRED,
  "last-name-missing": LAST_NAME_REQUIRED,
  "email-invalid": INVALID_EMAIL,
  "not-joined": "Failed to join waitlist. Please try again.",
};

export type FormReturn = keyof typeof FORM_RETURNS;
