import { createHash, createPublicKey } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, type JSONWebKeySet, SignJWT } from "jose";
import type { InvitationConfig } from "#core/config/config.ts";
import { hmac, type Keys } from "#core/config/keys.ts";

export interface Invitee {
  /** The canonical address. */
  email_key: string;
}

const DAY_SECONDS = 24 * 3600;

/** The query parameter, which the product's server sees; a fragment would need a script on its page. */
const INVITATION_PARAMETER = "invitation";

/** The product's sign-up page with a token that lets this person in. Nothing is stored for it. */
export async function inviteUrl(
  config: InvitationConfig,
  invitee: Invitee,
  waveId: string,
  now = new Date(),
): Promise<string> {
  const url = new URL(config.url);
  url.searchParams.set(INVITATION_PARAMETER, await signInvitation(config, invitee, waveId, now));
  return url.href;
}

/** The same with its settings filled in. Undefined without INVITE_URL. */
export function inviteUrlWith(config: InvitationConfig | undefined) {
  return config && ((invitee: Invitee, waveId: string) => inviteUrl(config, invitee, waveId));
}

/** The same page with a token that no product accepts, for previews. */
export function withSampleToken(inviteUrl: string): string {
  const url = new URL(inviteUrl);
  url.searchParams.set(INVITATION_PARAMETER, "preview");
  return url.href;
}

async function signInvitation(
  { url, issuer, lifetimeDays, keys }: InvitationConfig,
  { email_key }: Invitee,
  waveId: string,
  now: Date,
): Promise<string> {
  const [key] = keys.invitations;
  if (!key) throw new Error("There is no key to sign invitations with");
  const issuedAt = Math.floor(now.getTime() / 1000);
  // The same in every copy of the mail and on the member page, so that the product can count it once.
  const tokenId = pseudonym(keys, `to ${waveId} of ${email_key}`);
  return new SignJWT({ email_hash: emailHash(tokenId, email_key) })
    .setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid: await calculateJwkThumbprint(key) })
    .setIssuer(issuer)
    .setAudience(new URL(url).origin)
    .setSubject(pseudonym(keys, `of ${email_key}`))
    .setJti(tokenId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeDays * DAY_SECONDS)
    .sign(key);
}

/** Keyed, so that nobody else can tell whose it is. By address, which outlives a restored backup and a second sign-up. */
function pseudonym({ invitees }: Keys, text: string): string {
  return hmac(invitees, "invitation", text).subarray(0, 16).toString("base64url");
}

/** Not keyed: the product compares it with the address of a new account. The address itself would end up in logs. */
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
