import {
  COMPANY_TOO_LONG,
  COMPANY_UNUSABLE,
  FIRST_NAME_REQUIRED,
  FIRST_NAME_TOO_LONG,
  FIRST_NAME_UNUSABLE,
  INVALID_EMAIL,
  LAST_NAME_REQUIRED,
  LAST_NAME_TOO_LONG,
  LAST_NAME_UNUSABLE,
} from "./sign-up.ts";

/** Messages for a failed sign-up, by the URL fragment that a form sent without JavaScript is redirected to. */
export const FORM_ERRORS = {
  "already-joined": "This email is already on our waitlist.",
  "first-name-missing": FIRST_NAME_REQUIRED,
  "first-name-too-long": FIRST_NAME_TOO_LONG,
  "first-name-unusable": FIRST_NAME_UNUSABLE,
  "last-name-missing": LAST_NAME_REQUIRED,
  "last-name-too-long": LAST_NAME_TOO_LONG,
  "last-name-unusable": LAST_NAME_UNUSABLE,
  "email-invalid": INVALID_EMAIL,
  "company-too-long": COMPANY_TOO_LONG,
  "company-unusable": COMPANY_UNUSABLE,
  "not-joined": "Failed to join waitlist. Please try again.",
};

export type FormError = keyof typeof FORM_ERRORS;
