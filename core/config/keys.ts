import { createHmac, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

/** Domain separation: a signature for one purpose is invalid for another. */
type Purpose = "membership" | "unsubscribe" | "erasure" | "mail" | "invitation" | "friend";

export interface Key {
  id: string;
  secret: string;
}

/** Every key by its purpose. */
export interface Keys {
  /** The first key signs new links; all keys verify them, so links survive a rotation. */
  links: [Key, ...Key[]];
  /** Hashes erased addresses and derives pseudonyms. Can't be rotated: rehashing needs addresses that are gone. */
  erasures: Key;
  messageIds: Key;
  /** Hashes the names of rate limit buckets. */
  limiter: Key;
  /** Ed25519. The first key signs invitations; all public keys are published. Empty without INVITE_URL. */
  invitations: KeyObject[];
}

/** The only key that the team's console has. */
export type ErasureKeys = Pick<Keys, "erasures">;

/** The id of the key in deployments with only SECRET. Links signed with it carry no key id. */
export const FIRST_KEY_ID = "0";

interface OtherKeys {
  links?: { id: string; secret?: string }[];
  erasures?: string | undefined;
  invitations?: KeyObject[];
}

/** By default, one secret serves every purpose. Link keys without their own secret use it too. */
export function createKeys(
  secret: string,
  { links, erasures: permanent = secret, invitations = [] }: OtherKeys = {},
): Keys {
  const key = { id: FIRST_KEY_ID, secret };
  const [newest = key, ...older] = (links ?? []).map((link) => ({ id: link.id, secret: link.secret ?? secret }));
  const erasures = { ...key, secret: permanent };
  return { links: [newest, ...older], erasures, messageIds: key, limiter: key, invitations };
}

/** For previews, whose links don't work. */
export function createSampleKeys(): Keys {
  const invitations = [generateKeyPairSync("ed25519").privateKey];
  return createKeys(randomBytes(32).toString("base64url"), { invitations });
}

export function hmac({ secret }: Key, purpose: Purpose, text: string): Buffer {
  return createHmac("sha256", secret).update(`${purpose} ${text}`).digest();
}
