import * as z from "zod/mini";
import { isEd25519Key, isNarrow, isNetwork, isSecureUrl, isVaried, splitPem } from "./setting-rules.ts";

const REPEATS_ITSELF = "must be random, not a repeated pattern";
export const secret = z
  .string()
  .check(z.minLength(32, "must have at least 32 characters"), z.refine(isVaried, REPEATS_ITSELF));

/** An id and a secret, like "b:…". "0" alone stands for SECRET. */
const linkKey = z.string().check(
  z.regex(/^(0|[0-9a-z]{1,8}:.{32,})$/, "must be id:secret pairs, separated by commas"),
  z.refine((entry) => isVaried(parseLinkKey(entry).secret ?? entry), REPEATS_ITSELF),
);

const areDistinct = (entries: string[]) =>
  new Set(entries.map((entry) => parseLinkKey(entry).id)).size === entries.length;
export const linkKeys = list(linkKey).check(z.refine(areDistinct, "must not have the same id twice"));

export function parseLinkKey(entry: string): { id: string; secret?: string } {
  const colon = entry.indexOf(":");
  return colon === -1 ? { id: entry } : { id: entry.slice(0, colon), secret: entry.slice(colon + 1) };
}

export const inviteUrl = z
  .string()
  .check(z.refine(isSecureUrl, "must be an https:// URL without a password, like https://app.example.com/join"));

/** A host as URLs spell it, and the private networks it may be in: "crm.example.com", "crm.internal=10.0.5.0/24". */
export const webhookHost = z.string().check(
  z.refine((entry) => {
    const [host, ...networks] = entry.split("=");
    return URL.parse(`https://${host}`)?.host === host && networks.every(isNetwork);
  }, "must be hosts like crm.example.com, or crm.internal:8443=10.0.5.0/24 in a private network"),
);

/** One or more concatenated PEM files. */
export const inviteKeys = list(
  z.string().check(z.refine(isEd25519Key, "must be private Ed25519 keys, as PEM")),
  splitPem,
).check(z.refine((keys) => new Set(keys).size === keys.length, "must not have the same key twice"));

const EVENT_SECRET = /^(ses=arn:aws[\w:-]+|postmark=.{20,}|(resend|generic)=whsec_[\w+/=]{32,})$/;
const EVENT_SECRETS =
  "must be ses=<topic ARN>, postmark=<20 characters or more>, resend=whsec_… or generic=whsec_…, separated by commas";
/** "ses=arn:aws:sns:…,resend=whsec_…" becomes an object. */
export const mailEvents = z.pipe(
  list(z.string().check(z.regex(EVENT_SECRET, EVENT_SECRETS))),
  z.transform(
    (entries: string[]): Record<string, string> => Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/, 2))),
  ),
);

export function integer(what: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  const message = `must be ${what}`;
  return z.coerce.number(message).check(z.int(message), z.gte(min, message), z.lte(max, message));
}

export function url(what: string, protocol: RegExp) {
  return z.url({ protocol, error: `must be a ${what} URL` });
}

function splitAtCommas(text: string): string[] {
  return text.split(",").flatMap((entry) => entry.trim() || []);
}

export function list<Item extends string>(item: z.core.$ZodType<Item, string>, split = splitAtCommas) {
  return z.pipe(z.pipe(z._default(z.string(), ""), z.transform(split)), z.array(item));
}

export const port = integer("a number from 0 to 65535", 0, 65_535);
export const atLeastOne = integer("a whole number of at least 1", 1);
export const date = z.iso.date("must be a date, like 2026-11-30");
export const network = z
  .string()
  .check(
    z.refine(isNetwork, "must be addresses or CIDRs, separated by commas"),
    z.refine(isNarrow, "must name your own proxies, but this range includes other people's machines"),
  );
