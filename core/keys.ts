import { createHmac } from "node:crypto";

/** Domain separation: a signature for one purpose is invalid for another. */
type Purpose = "membership" | "unsubscribe" | "erasure" | "mail";

export interface Key {
  id: string;
  secret: string;
}

/** Every key by its purpose. */
export interface Keys {
  /** The first signs new links; all of them verify, so links survive a rotation. */
  links: [Key, ...Key[]];
  /** Can't be rotated: rehashing needs the erased addresses, which are gone. */
  erasures: Key;
  messageIds: Key;
  /** Hashes the names of rate limit buckets. */
  limiter: Key;
}

/** The id of the key in deployments with only SECRET. Links signed with it carry no key id, as in version 1.0.0. */
export const FIRST_KEY_ID = "0";

/** One secret serves every purpose by default, including link keys without a secret of their own. */
export function createKeys(
  secret: string,
  { links, erasures = secret }: { links?: { id: string; secret?: string }[]; erasures?: string | undefined } = {},
): Keys {
  const key = { id: FIRST_KEY_ID, secret };
  const [newest = key, ...older] = (links ?? []).map((link) => ({ id: link.id, secret: link.secret ?? secret }));
  return { links: [newest, ...older], erasures: { ...key, secret: erasures }, messageIds: key, limiter: key };
}

export function hmac({ secret }: Key, purpose: Purpose, text: string): Buffer {
  return createHmac("sha256", secret).update(`${purpose} ${text}`).digest();
}
