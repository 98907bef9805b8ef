import type { MutationRow } from "#tests/drills/spec-mutations/mutations.ts";

const SIGN_UP = "contract/sign-up.ts";
const NAV_BAR = "site/sections/nav-bar.tsx";
const PAGE_AGE = "site/waitlist/page-age.ts";
const USE_JOIN = "site/waitlist/use-join.ts";

/** Sections 5 and 6 of the specification. */
export const VALIDATION_AND_ROLES: MutationRow[] = [
  ["5.1", "another message", SIGN_UP, '"First name is required"', '"Please enter your first name"'],
  [
    "5.1",
    "first name is required only while last name is empty",
    "site/waitlist/sign-up-form.tsx",
    "resolver: zodResolver(signUpSchema),",
    'resolver: (values, context, options) => zodResolver(signUpSchema)(values.lastName ? { ...values, firstName: values.firstName || "?" } : values, context, options),',
  ],
  [
    "5.1",
    "the error is above its label",
    "site/waitlist/field.tsx",
    'className="text-sm text-bad"',
    'className="order-first text-sm text-bad"',
  ],
  ["5.2", "another message", SIGN_UP, '"Last name is required"', '"Please enter your last name"'],
  [
    "5.2",
    "only the first error is shown",
    "site/waitlist/sign-up-form.tsx",
    "error: formState.errors[name]?.message",
    "error: Object.keys(formState.errors)[0] === name ? formState.errors[name]?.message : undefined",
  ],
  ["5.3", "anything counts as an address", SIGN_UP, "z.regex(address, INVALID_EMAIL)", "z.minLength(1, INVALID_EMAIL)"],
  ["5.3", "'@.' counts as an address", SIGN_UP, "z.regex(address, INVALID_EMAIL)", "z.regex(/@.*\\./, INVALID_EMAIL)"],
  [
    "5.3",
    "a failed request empties a field's error",
    "site/waitlist/sign-up-form.tsx",
    "resolver: zodResolver(signUpSchema),",
    "resolver: zodResolver(signUpSchema),\n    errors: refused,",
  ],
  ["5.3", "a domain without a dot counts as an address", SIGN_UP, ")+$/u;", ")*$/u;"],
  [
    "5.4",
    "company is required",
    SIGN_UP,
    'text("Company", MAX_LENGTH.company)',
    'text("Company", MAX_LENGTH.company).check(z.minLength(1))',
  ],
  ["5.5", "2999 ms are enough", PAGE_AGE, "MIN_AGE_MS = 3000", "MIN_AGE_MS = 2999"],
  ["5.5", "another message", PAGE_AGE, "Please take a moment to review", "Please review"],
  [
    "5.5",
    "only the first early click is blocked, a second within 3 s is sent",
    PAGE_AGE,
    "return submittedAt - loadedAt < MIN_AGE_MS;",
    "return submittedAt - loadedAt < MIN_AGE_MS && !asked++;\n}\nlet asked = 0;\nif (asked < 0) {",
  ],
  ["5.5", "sent if hydration fails", "site/waitlist/early-submit.ts", "if (!isTooSoon) {", "if (event) {"],
  [
    "5.5",
    "a held form is judged by when the page hydrates",
    "site/waitlist/sign-up-form.tsx",
    "event?.timeStamp ?? performance.now()",
    "Math.max(event?.timeStamp ?? 0, performance.now())",
  ],
  [
    "5.6",
    "the website is left out",
    USE_JOIN,
    "WAITLIST_PATH, signUp",
    "WAITLIST_PATH, { ...signUp, website: undefined }",
  ],
  [
    "5.6",
    "what the honeypot holds is never sent",
    USE_JOIN,
    "WAITLIST_PATH, signUp",
    'WAITLIST_PATH, { ...signUp, website: "" }',
  ],
  ["6.1", "a link to log in", NAV_BAR, "<BrandLink />", '<BrandLink />\n<a href="/account">Log in</a>'],
  [
    "6.1",
    "a link to sign in on the not-found page",
    "site/pages/not-found.tsx",
    "<BrandLink />",
    '<BrandLink />\n<a href="/account">Sign in</a>',
  ],
  [
    "6.1",
    "joining needs a cookie",
    "server/http/same-origin.ts",
    "if (isSameOrigin(",
    "if (request.headers.cookie && isSameOrigin(",
  ],
  ["6.1", "a link to /login", NAV_BAR, "<BrandLink />", '<BrandLink />\n<a href="/login">Customer portal</a>'],
];
