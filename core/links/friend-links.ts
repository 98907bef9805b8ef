import { timingSafeEqual } from "node:crypto";
import { hmac, type Key, type Keys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import type { FriendOf } from "#core/database/tables.ts";
import type { Person } from "./links.ts";

/** The link that a member shares. It doesn't expire and opens nothing, so it may be public. */
export function friendLink({ links: [key] }: Keys, { id, email_key }: Person, origin: string): string {
  return `${origin}/?friend=${id}.${sign(key, id, email_key)}`;
}

/** The id of the member whose link opened this page, or null. */
export async function findFriendOf(db: Database, { links }: Keys, pageUrl: string): Promise<FriendOf | null> {
  const token = URL.parse(pageUrl)?.searchParams.get("friend") ?? "";
  const [, id, signature = ""] = /^(\d{1,18})\.([\w-]{22})$/.exec(token) ?? [];
  if (!id) return null;
  const { rows } = await db.pool.query<Person>({
    name: "find-friend-of",
    text: "select id, email_key from sign_ups where id = $1",
    values: [id],
  });
  const [member] = rows;
  const isFrom = (key: Key) =>
    member && timingSafeEqual(Buffer.from(sign(key, id, member.email_key)), Buffer.from(signature));
  return links.some(isFrom) ? (id as FriendOf) : null;
}

/** Signs the address too, because after a restore the ids assigned since the backup go to other people. */
function sign(key: Key, id: string, emailKey: string): string {
  return hmac(key, "friend", `${id} ${emailKey}`).subarray(0, 16).toString("base64url");
}
