import { createHash, createPublicKey } from "node:crypto";
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  exportJWK,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from "jose";
import type { InvitationConfig } from "#core/config/config.ts";
import { type ErasureKeys, hmac, type Keys } from "#core/config/keys.ts";
import type { Person } from "./links.ts";

const DAY_SECONDS = 24 * 3600;

/**
 * The URL of the product's sign-up page with a token that lets this person in. The token isn't stored. When the product
 * returns it, its claim `member` finds the person, because a jti can't be looked up.
 */
export async function inviteUrl(
  { url, issuer, lifetimeDays, keys }: InvitationConfig,
  { id, email_key }: Person,
  waveId: string,
  now = new Date(),
): Promise<string> {
  const [key] = keys.invitations;
  if (!key) throw new Error("There is no key to sign invitations with");
  const issuedAt = Math.floor(now.getTime() / 1000);
  const tokenId = invitationId(keys, waveId, email_key);
  const token = await new SignJWT({ email_hash: emailHash(tokenId, email_key), member: id })
    .setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid: await calculateJwkThumbprint(key) })
    .setIssuer(issuer)
    .setAudience(new URL(url).origin)
    .setSubject(subjectOf(keys, email_key))
    .setJti(tokenId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeDays * DAY_SECONDS)
    .sign(key);
  return withToken(url, token);
}

/** The claims of an invitation that was valid at this time, or why it wasn't. */
export async function verifyInvitation({ url, issuer, keys }: InvitationConfig, token: string, at: Date) {
  const rules = { issuer, audience: new URL(url).origin, algorithms: ["EdDSA"], currentDate: at };
  try {
    return (await jwtVerify<{ member: string }>(token, createLocalJWKSet(await invitationKeys(keys)), rules)).payload;
  } catch (reason) {
    if (reason instanceof errors.JWTExpired) return "expired";
    if (reason instanceof errors.JOSEError) return "forged";
    throw reason;
  }
}

/** In a query parameter, because the product's server can read it; a fragment would need a script on its page. */
function withToken(inviteUrl: string, token: string): string {
  const url = new URL(inviteUrl);
  url.searchParams.set("invitation", token);
  return url.href;
}

/** For previews: a link that doesn't work. */
export const sampleInviteUrl = (invitations: InvitationConfig | undefined) =>
  invitations && withToken(invitations.url, "preview");

/** The member page and every copy of the mail use the same id, so that the product counts the invitation once. */
export function invitationId(keys: Keys, waveId: string, emailKey: string): string {
  return pseudonym(keys, `to ${waveId} of ${emailKey}`);
}

/** The person's pseudonym in invitations and webhooks. */
export function subjectOf(keys: ErasureKeys, emailKey: string): string {
  return pseudonym(keys, `of ${emailKey}`);
}

/** Keyed, so only we can tell whose it is. Uses the address, because a restore or a new sign-up may change the id. */
function pseudonym({ erasures }: ErasureKeys, text: string): string {
  return hmac(erasures, "invitation", text).subarray(0, 16).toString("base64url");
}

/** Not keyed, so that the product can compare it with a new account's address. A plain address would end up in logs. */
function emailHash(tokenId: string, emailKey: string): string {
  return createHash("sha256").update(`${tokenId}:${emailKey}`).digest("base64url");
}

/** The public keys, newest first. */
export async function invitationKeys({ invitations }: Keys): Promise<JSONWebKeySet> {
  const keys = invitations.map(async (key) => ({
    ...(await exportJWK(createPublicKey(key))),
    kid: await calculateJwkThumbprint(key),
    alg: "EdDSA",
    use: "sig",
  }));
  return { keys: await Promise.all(keys) };
}
