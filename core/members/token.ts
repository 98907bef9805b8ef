import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The key to one person's own page: who, until when, and a signature. Whoever holds it can read that person's mail, which
 * is all that a waitlist asks for. Nothing is stored for it. It names the person by number and by address: after a
 * restored backup the numbers that were given since are given again, to others.
 */
export interface Holder {
  id: string;
  email_key: string;
}

export function membershipToken(secret: string, { id, email_key }: Holder, expiresAt: Date): string {
  const claim = `${id}.${addressMark(secret, email_key)}.${expiresAt.getTime().toString(36)}`;
  return `${claim}.${sign(secret, claim)}`;
}

export interface OpenedToken {
  id: string;
  isFor(holder: Holder): boolean;
}

/** Whose page it opens, or undefined where it is forged, garbled or too old. */
export function openToken(secret: string, token: string, now = new Date()): OpenedToken | undefined {
  const [, claim = "", id = "", mark = "", expires = "", signature = ""] =
    /^((\d{1,18})\.([\w-]{11})\.([0-9a-z]{1,9}))\.([\w-]{43})$/.exec(token) ?? [];
  if (!timingSafeEqual(Buffer.from(sign(secret, claim)), Buffer.from(signature.padEnd(43)))) return undefined;
  if (Number.parseInt(expires, 36) <= now.getTime()) return undefined;
  return { id, isFor: (holder) => holder.id === id && addressMark(secret, holder.email_key) === mark };
}

function addressMark(secret: string, emailKey: string): string {
  return sign(secret, `of ${emailKey}`).slice(0, 11);
}

function sign(secret: string, claim: string): string {
  return createHmac("sha256", secret).update(`membership ${claim}`).digest("base64url");
}
