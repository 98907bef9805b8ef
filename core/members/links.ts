import { timingSafeEqual } from "node:crypto";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { FIRST_KEY_ID, hmac, type Key, type Keys } from "#core/keys.ts";

/**
 * A link to one person's own page: who, until when, which key, and a signature. Holding it proves access to that person's
 * mail, which is all that a waitlist asks for. Nothing is stored for it. It names the person by id and by address: after a
 * restored backup, ids that were given since are given again, to others.
 */
export interface Holder {
  id: string;
  email_key: string;
}

const LINK_LIFETIME_MS = 30 * 24 * 3_600_000;

/** For a mail. */
export function memberLink(keys: Keys, holder: Holder, origin: string): string {
  return `${origin}${MEMBERSHIP_PATH}/${memberToken(keys, holder, new Date(Date.now() + LINK_LIFETIME_MS))}`;
}

export function memberToken({ links: [key] }: Keys, { id, email_key }: Holder, expiresAt: Date): string {
  const keyId = key.id === FIRST_KEY_ID ? "" : `.${key.id}`;
  const claim = `${id}.${addressTag(key, email_key)}.${expiresAt.getTime().toString(36)}${keyId}`;
  return `${claim}.${sign(key, claim)}`;
}

export interface OpenedToken {
  id: string;
  isFor(holder: Holder): boolean;
}

/** Whose page it opens, or undefined where it is forged, garbled, too old, or its key has been withdrawn. */
export function openToken({ links }: Keys, token: string, now = new Date()): OpenedToken | undefined {
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
