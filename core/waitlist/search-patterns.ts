import { emailKey } from "./email-key.ts";

/**
 * LIKE patterns for values that begin with the text, compared with what PostgreSQL's lower() makes of them. In the C
 * locale that leaves the Ö of "Öztürk" as it is, so a text with such letters has up to three patterns.
 */
export function namePatterns(text: string): string[] {
  const typed = text.trim().normalize("NFC").toLowerCase();
  const capitalized = typed.replace(/(?<!\p{L}\p{M}*)\p{L}/gu, (letter) => letter.toUpperCase());
  return [...new Set([typed, lowerAscii(typed.toUpperCase()), lowerAscii(capitalized)])].map(beginsWith);
}

/** Patterns for address keys, which are in lower case whatever the locale and have their domain in punycode. */
export function addressPatterns(text: string): string[] {
  const typed = text.trim().normalize("NFC").toLowerCase();
  const key = typed.includes("@") ? emailKey(typed) : undefined;
  return [...new Set([typed, key ?? typed])].map(beginsWith);
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function beginsWith(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`;
}
