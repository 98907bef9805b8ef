import * as z from "zod/mini";

/** The form recognizes a duplicate by this phrase. No other response may contain it. */
export const ALREADY_JOINED = "already on the waitlist";

/** What people agree to by ticking the box. The consent ledger stores this wording; to change it, add a version. */
export const NEWSLETTER_CONSENT = {
  version: 2,
  wording: "Email me product news too. Every message has an unsubscribe link.",
};

/**
 * The header with the idempotency key: 32 hexadecimal digits, generated once per filled form. A retry with the same key
 * and content within a day gets the first response again; the same key with other content for that address gets 422.
 */
export const IDEMPOTENCY_KEY_HEADER = "idempotency-key";
export const isIdempotencyKey = (text: unknown): text is string =>
  typeof text === "string" && /^[0-9a-f]{32}$/.test(text);

export const KEY_REUSED = "This idempotency key belongs to a sign-up with other content. Use a new key.";

/** In code points, not UTF-16 units, because people count characters that way. */
export const MAX_LENGTH = { name: 100, email: 254, company: 200, website: 2000 };

/** PostgreSQL can't store U+0000, a lone surrogate isn't text, and no name needs a control character. */
const printable = /^[^\p{Cc}\p{Cs}]*$/u;

/** A name of only zero-width characters or U+2800, a blank that Unicode calls a symbol, counts as empty. */
export const VISIBLE = /[^\s\p{DI}\u2800]/u;

export const tooLong = (label: string, max: number) => `${label} may have at most ${max} characters`;
export const unusable = (label: string) => `${label} contains a character that can't be used`;

/** Trimmed text of bounded length. Uses regular expressions, because the OpenAPI document can include those. */
export function text(label: string, max: number) {
  return z
    .string()
    .check(
      z.trim(),
      z.regex(new RegExp(`^[\\s\\S]{0,${max}}$`, "u"), tooLong(label, max)),
      z.regex(printable, unusable(label)),
    );
}

/**
 * zod's own pattern rejects addresses that exist (a@bücher.de, a&b@x.com), and its Unicode pattern accepts addresses
 * that can't (a@x, a..b@x.com, a@1.2.3.4). Both halves here are runs joined by dots or hyphens, so matching is linear
 * (no ReDoS). A label has at most 63 characters.
 */
const address =
  /^[^\s@"(),:;<>[\\\].\p{C}]+(?:\.[^\s@"(),:;<>[\\\].\p{C}]+)*@(?!.*(?:[^.]{64}|\.\d+$))[\p{L}\p{M}\p{N}]+(?:-+[\p{L}\p{M}\p{N}]+)*(?:\.[\p{L}\p{M}\p{N}]+(?:-+[\p{L}\p{M}\p{N}]+)*)+$/u;

export const FIRST_NAME_REQUIRED = "First name is required";
export const LAST_NAME_REQUIRED = "Last name is required";
export const INVALID_EMAIL = "Please enter a valid email address";
const EMAIL_LENGTH = new RegExp(`^[\\s\\S]{0,${MAX_LENGTH.email}}$`, "u");

/**
 * The fields that the form sends. Unknown ones are ignored, because during a deploy a new page may send one to an old
 * server.
 */
export const signUpSchema = z.object({
  firstName: text("First name", MAX_LENGTH.name).check(z.regex(VISIBLE, FIRST_NAME_REQUIRED)),
  lastName: text("Last name", MAX_LENGTH.name).check(z.regex(VISIBLE, LAST_NAME_REQUIRED)),
  email: z
    .string()
    .check(
      z.trim(),
      // Checked before normalizing, which takes quadratic time, and again after, because it can make text longer.
      z.regex(EMAIL_LENGTH, { error: INVALID_EMAIL, abort: true }),
      // Before the pattern, because NFC turns U+037E into a semicolon, which would make one address two.
      z.normalize("NFC"),
      z.regex(EMAIL_LENGTH, INVALID_EMAIL),
      z.regex(address, INVALID_EMAIL),
    )
    .brand<"address">(),
  company: z._default(text("Company", MAX_LENGTH.company), ""),
  newsletter: z._default(z.boolean(), false),
  /** The honeypot: people never see it, so a bot has probably filled it. */
  website: z._default(text("Website", MAX_LENGTH.website), ""),
});

/** As typed into the form. */
export type SignUpInput = z.input<typeof signUpSchema>;
/** As sent over the wire: trimmed, with defaults. */
export type SignUp = z.output<typeof signUpSchema>;
/** As typed, trimmed and in NFC. Text becomes an address only by passing the check above. */
export type Address = SignUp["email"];
