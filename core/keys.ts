import { createHmac } from "node:crypto";

/** What is signed for one purpose is worth nothing for another. */
type Purpose = "membership" | "erasure" | "mail";

export interface Key {
  id: string;
  secret: string;
}

/** Every key, by what it is for. */
export interface Keys {
  /** New links are signed with the first; all of them verify, so links outlive a rotation. */
  links: [Key, ...Key[]];
  /** Has to stay: the hashes of erased addresses can't be made again without the addresses. */
  erasures: Key;
  messageIds: Key;
  /** Names the limiters' buckets. */
  limiter: Key;
}

/** The key of deployments that have only SECRET. Links signed with it carry no key id, as in version 1.0.0. */
export const FIRST_KEY_ID = "0";

/** By default one secret serves every purpose. A link key without a secret of its own is that one. */
export function createKeys(
  secret: string,
  { links, erasures = secret }: { links?: { id: string; secret?: string }[]; erasures?: string | undefined } = {},
): Keys {
  const key = { id: FIRST_KEY_ID, secret };
  const [newest = key, ...older] = (links ?? []).map((link) => ({ id: link.id, secret: link.secret ?? secret }));
  return { links: [newest, ...older], erasures: { ...key, secret: erasures }, messageIds: key, limiter: key };
}

export function keyedDigest({ secret }: Key, purpose: Purpose, text: string): Buffer {
  return createHmac("sha256", secret).update(`${purpose} ${text}`).digest();
}
