import { FIRST_NAME_REQUIRED, INVALID_EMAIL, LAST_NAME_REQUIRED, MAX_LENGTH, tooLong, unusable } from "./sign-up.ts";

/** Messages for a failed sign-up, by URL fragment. Without JavaScript, the server redirects to the fragment. */
export const FORM_ERRORS = {
  "already-joined": "This email is already on our waitlist.",
  "first-name-missing": FIRST_NAME_REQUIRED,
  "first-name-too-long": tooLong("First name", MAX_LENGTH.name),
  "first-name-unusable": unusable("First name"),
  "last-name-missing": LAST_NAME_REQUIRED,
  "last-name-too-long": tooLong("Last name", MAX_LENGTH.name),
  "last-name-unusable": unusable("Last name"),
  "email-invalid": INVALID_EMAIL,
  "company-too-long": tooLong("Company", MAX_LENGTH.company),
  "company-unusable": unusable("Company"),
  "not-joined": "Failed to join waitlist. Please try again.",
};

export type FormError = keyof typeof FORM_ERRORS;
