import { domainToASCII } from "node:url";
import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import { type Address, signUpSchema } from "#contract/sign-up.ts";
import type { EmailKey } from "#core/database/tables.ts";

/** Matches every address that any version of the rules allowed, to find people whom today's form would refuse. */
const ANY_ADDRESS = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

/** A domain that needs no encoding, isn't punycode and doesn't end in a number, as an IP address would. */
const PLAIN_DOMAIN = /^(?!.*xn--)(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*$/;

/** An encoded domain with punctuation (from 🄁 or ⑴) or a label too long or empty, or an IP address. */
const IMPOSSIBLE_DOMAIN = /[^a-z0-9.-]|^\.|\.\.|\.$|[^.]{64}|\.\d+$/;

const GMAIL = ["gmail.com", "googlemail.com"];

/** Providers with several domains for each mailbox, and separators that `fold` names and they ignore or equate. */
const PROVIDERS = [
  // https://support.google.com/mail/answer/7436150
  { domains: GMAIL, fold: ".", into: "" },
  // https://proton.me/support/change-username, https://proton.me/support/addresses-and-aliases
  { domains: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"], fold: "._-", into: "" },
  // https://support.apple.com/118230
  { domains: ["icloud.com", "me.com", "mac.com"], fold: "", into: "" },
  // https://yandex.com/support/passport/authorization/registration.html
  { domains: ["yandex.ru", "ya.ru", "yandex.com", "yandex.by", "yandex.kz", "yandex.ua"], fold: "-", into: "." },
];

/** An address that may be stored and sent to: the form accepts it, and its domain can exist. */
export const addressSchema = signUpSchema.shape.email.check(z.refine((text) => emailKey(text) !== undefined));
export const toAddress = (text: string): Address | undefined => addressSchema.safeParse(text).data;

export const looksLikeAddress = (text: string) => ANY_ADDRESS.test(text);

/**
 * Addresses with the same key belong to the same person. The key is trimmed, NFC, lower case without final sigma, with
 * the domain in punycode. Plus-tags and dots stay, because only the receiving server knows what they mean. Undefined if
 * the domain can't exist.
 */
export function emailKey(text: string): EmailKey | undefined {
  const normal = text.trim().normalize("NFC");
  const at = normal.lastIndexOf("@");
  if (at === -1) return undefined;
  const local = normal.slice(0, at).toLowerCase().replaceAll("ς", "σ").normalize("NFC");
  const domain = toAscii(normal.slice(at + 1));
  return domain && !IMPOSSIBLE_DOMAIN.test(domain) ? (`${local}@${domain}` as EmailKey) : undefined;
}

/** Parses only if needed, because parsing takes ten times as long as the check. The parser also lowercases. */
export function toAscii(domain: string): string {
  const lower = domain.toLowerCase();
  return PLAIN_DOMAIN.test(lower) ? lower : domainToASCII(domain);
}

/** An object, because nodemailer reads strings as lists. Has the key's domain, because nodemailer's may differ. */
export function recipientOf(address: Address): { name: string; address: string } {
  const key = emailKey(address) ?? address;
  return { name: "", address: address.slice(0, address.lastIndexOf("@")) + key.slice(key.lastIndexOf("@")) };
}

/**
 * Addresses with the same key probably share a mailbox: the key has no plus-tag and follows its provider's rules. It
 * only limits mail and friends per mailbox, never who is on the list, because rules change and differ.
 */
export function mailboxKey(emailKey: EmailKey): string {
  const at = emailKey.lastIndexOf("@");
  const [local, domain] = [emailKey.slice(0, at), emailKey.slice(at + 1)];
  const untagged = local.replace(/(?<=.)\+.*$/, "");
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  if (!provider) return `${untagged}@${domain}`;
  return `${untagged.replace(new RegExp(`[${provider.fold}]`, "g"), provider.into)}@${provider.domains[0]}`;
}

/** An address's domain, as SQL. */
export const domainOf = (emailKey: RawBuilder<unknown> = sql`email_key`) =>
  sql<string>`split_part(${emailKey}, '@', -1)`;

/** `mailboxKey` as SQL. */
export function mailboxOf(emailKey: RawBuilder<unknown> = sql`email_key`) {
  const untagged = sql`regexp_replace(${emailKey}, '^(.[^+]*)[+].*@', '\\1@')`;
  const folded = PROVIDERS.map(
    ({ domains, fold, into }) => sql`when ${domainOf(emailKey)} in (${sql.join(domains)})
      then translate(split_part(${untagged}, '@', 1), ${fold}, ${into}) || ${sql.lit(`@${domains[0]}`)}`,
  );
  return sql<string>`case ${sql.join(folded, sql` `)} else ${untagged} end`;
}

export const isAtGmail = sql<boolean>`${domainOf()} in (${sql.join(GMAIL)})`;
