import { timingSafeEqual } from "node:crypto";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { FIRST_KEY_ID, hmac, type Key, type Keys } from "#core/keys.ts";

/**
 * Who a link to a member page is for. The link carries its holder, expiry, key id and signature, so nothing is stored
 * for it. It proves access to that person's mail, which is all that a waitlist needs. It names the person by id and
 * address, because ids assigned after a backup are assigned again, to other people, once it is restored.
 */
export interface Holder {
  id: string;
  email_key: string;
}

export const LINK_LIFETIME_DAYS = 30;
const LINK_LIFETIME_MS = LINK_LIFETIME_DAYS * 24 * 3_600_000;

/** The URL for a mail. */
export function memberLink(keys: Keys, holder: Holder, origin: string): string {
  return `${origin}${MEMBERSHIP_PATH}/${memberToken(keys, holder, new Date(Date.now() + LINK_LIFETIME_MS))}`;
}

export function memberToken({ links: [key] }: Keys, { id, email_key }: Holder, expiresAt: Date): string {
  const keyId = key.id === FIRST_KEY_ID ? "" : `.${key.id}`;
  const claim = `${id}.${addressTag(key, email_key)}.${expiresAt.getTime().toString(36)}${keyId}`;
  return `${claim}.${sign(key, claim)}`;
}

export interface VerifiedToken {
  id: string;
  isFor(holder: Holder): boolean;
}

/** Undefined if the token is forged, malformed or expired, or its key has been withdrawn. */
export function verifyToken({ links }: Keys, token: string, now = new Date()): VerifiedToken | undefined {
  const [, claim = "", id = "", tag = "", expires = "", keyId = FIRST_KEY_ID, signature = ""] =
    /^((\d{1,18})\.([\w-]{11})\.([0-9a-z]{1,9})(?:\.([0-9a-z]{1,8}))?)\.([\w-]{43})$/.exec(token) ?? [];
  const key = links.find((one) => one.id === keyId);
  if (!key || !timingSafeEqual(Buffer.from(sign(key, claim)), Buffer.from(signature.padEnd(43)))) return undefined;
  if (Number.parseInt(expires, 36) <= now.getTime()) return undefined;
  return { id, isFor: (holder) => holder.id === id && addressTag(key, holder.email_key) === tag };
}

function addressTag(key: Key, emailKey: string): string {
  return sign(key, `of ${emailKey}`).slice(0, 11);
}

function sign(key: Key, claim: string): string {
  return hmac(key, "membership", claim).toString("base64url");
}
