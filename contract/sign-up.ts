import * as z from "zod/mini";

/** The server says it; the form looks for it. No other answer may contain it. */
export const ALREADY_JOINED = "already on the waitlist";

/** In characters as people count them (code points), not in UTF-16 units. */
const MOST = { name: 100, email: 254, company: 200, website: 2000 };

/** PostgreSQL can't store U+0000, and half a surrogate pair isn't text; no name needs a control character. */
const printable = /^[^\p{Cc}\p{Cs}]*$/u;

/** Trimmed text of bounded length. Regular expressions, because the generated API document can show those. */
function text(label: string, most: number) {
  return z
    .string()
    .check(
      z.trim(),
      z.regex(new RegExp(`^[\\s\\S]{0,${most}}$`, "u"), `${label} may have at most ${most} characters`),
      z.regex(printable, `${label} contains a character that can't be used`),
    );
}

/**
 * zod's own pattern refuses addresses that exist (a@bücher.de, a&b@x.com), and its Unicode one takes addresses that
 * can't (a@x, a..b@x.com). Both halves here are runs joined by single dots or hyphens, so matching stays linear.
 */
const address =
  /^[^\s@"(),:;<>[\\\].\p{C}]+(?:\.[^\s@"(),:;<>[\\\].\p{C}]+)*@[\p{L}\p{M}\p{N}]+(?:-+[\p{L}\p{M}\p{N}]+)*(?:\.[\p{L}\p{M}\p{N}]+(?:-+[\p{L}\p{M}\p{N}]+)*)+$/u;

export const INVALID_EMAIL = "Please enter a valid email address";

/** What the form sends and the API takes: these fields and no others. */
export const signUpSchema = z.strictObject({
  firstName: text("First name", MOST.name).check(z.minLength(1, "First name is required")),
  lastName: text("Last name", MOST.name).check(z.minLength(1, "Last name is required")),
  email: z
    .string()
    .check(
      z.trim(),
      z.regex(new RegExp(`^[\\s\\S]{0,${MOST.email}}$`, "u"), INVALID_EMAIL),
      z.regex(address, INVALID_EMAIL),
    ),
  company: z._default(text("Company", MOST.company), ""),
  newsletter: z._default(z.boolean(), false),
  /** The honeypot: people never see it, so whatever fills it in is probably not one. */
  website: z._default(text("Website", MOST.website), ""),
});

/** As typed into the form. */
export type SignUpInput = z.input<typeof signUpSchema>;
/** As it goes over the wire, trimmed and complete. */
export type SignUp = z.output<typeof signUpSchema>;
