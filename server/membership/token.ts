import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The key to one person's own page: who, until when, and a signature. Whoever holds it can read that person's mail, which
 * is all that a waitlist asks for. Nothing is stored for it.
 */
export function membershipToken(secret: string, signUpId: string, expiresAt: Date): string {
  const claim = `${signUpId}.${expiresAt.getTime().toString(36)}`;
  return `${claim}.${sign(secret, claim)}`;
}

/** Whose page it opens, or undefined where it is forged, garbled or too old. */
export function openToken(secret: string, token: string, now = new Date()): string | undefined {
  const [, claim = "", id = "", expires = "", signature = ""] =
    /^((\d{1,18})\.([0-9a-z]{1,9}))\.([\w-]{43})$/.exec(token) ?? [];
  if (!timingSafeEqual(Buffer.from(sign(secret, claim)), Buffer.from(signature.padEnd(43)))) return undefined;
  return Number.parseInt(expires, 36) > now.getTime() ? id : undefined;
}

function sign(secret: string, claim: string): string {
  return createHmac("sha256", secret).update(`membership ${claim}`).digest("base64url");
}
