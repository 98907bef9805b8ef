import { timingSafeEqual } from "node:crypto";
import { MEMBERSHIP_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { FIRST_KEY_ID, hmac, type Key, type Keys } from "#core/config/keys.ts";

/**
 * Who a link is for. The link contains the person, expiry, key id and signature, so nothing is stored. It proves access
 * to that person's mail; a waitlist needs no more proof. It names the person by id and address, because after a restore
 * the ids assigned since the backup go to other people.
 */
export interface Person {
  id: string;
  email_key: string;
}

/** A link gives access to the whole member page, or can only unsubscribe. */
type LinkPurpose = "membership" | "unsubscribe";

const DAY_MS = 24 * 3_600_000;
export const LINK_LIFETIME_DAYS = 30;
/** Long, because people keep newsletters, and a leaked link can only unsubscribe. */
const UNSUBSCRIBE_LINK_LIFETIME_MS = 365 * DAY_MS;

export function memberLink(keys: Keys, person: Person, origin: string): string {
  const expiresAt = new Date(Date.now() + LINK_LIFETIME_DAYS * DAY_MS);
  return `${origin}${MEMBERSHIP_PATH}/${createToken("membership", keys, person, expiresAt)}`;
}

/** The URL that mail providers post to and that people open. Providers log it, so it can only unsubscribe. */
export function unsubscribeLink(keys: Keys, person: Person, origin: string): string {
  const expiresAt = new Date(Date.now() + UNSUBSCRIBE_LINK_LIFETIME_MS);
  return `${origin}${UNSUBSCRIBE_PATH}/${createToken("unsubscribe", keys, person, expiresAt)}`;
}

export function createToken(purpose: LinkPurpose, { links: [key] }: Keys, { id, email_key }: Person, expiresAt: Date) {
  const keyId = key.id === FIRST_KEY_ID ? "" : `.${key.id}`;
  const claim = `${id}.${addressTag(key, email_key)}.${expiresAt.getTime().toString(36)}${keyId}`;
  return `${claim}.${sign(key, purpose, claim)}`;
}

/** Undefined if the token is forged, malformed, expired or for another purpose, or its key has been withdrawn. */
export function verifyToken({ links }: Keys, token: string, purpose: LinkPurpose = "membership", now = new Date()) {
  const [, claim = "", id = "", tag = "", expires = "", keyId = FIRST_KEY_ID, signature = ""] =
    /^((\d{1,18})\.([\w-]{11})\.([0-9a-z]{1,9})(?:\.([0-9a-z]{1,8}))?)\.([\w-]{43})$/.exec(token) ?? [];
  const key = links.find((one) => one.id === keyId);
  if (!key || !timingSafeEqual(Buffer.from(sign(key, purpose, claim)), Buffer.from(signature.padEnd(43))))
    return undefined;
  if (Number.parseInt(expires, 36) <= now.getTime()) return undefined;
  return { id, isFor: (person: Person) => person.id === id && addressTag(key, person.email_key) === tag };
}

function addressTag(key: Key, emailKey: string): string {
  return sign(key, "membership", `of ${emailKey}`).slice(0, 11);
}

function sign(key: Key, purpose: LinkPurpose, claim: string): string {
  return hmac(key, purpose, claim).toString("base64url");
}
