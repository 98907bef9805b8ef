import { sql } from "kysely";
import type { Actor } from "#core/activity/activity.ts";
import { changeMany } from "#core/activity/change-many.ts";
import type { Keys } from "#core/config/keys.ts";
import { readInChunks } from "#core/database/chunks.ts";
import type { Database } from "#core/database/connect.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { addressHash, eraseBefore } from "./erase.ts";

export type Erasure = Awaited<ReturnType<typeof readErasures>>[number];

export function readErasures(db: Database) {
  const columns = ["address_hash as hash", "erased_at as erasedAt"] as const;
  return db.selectFrom("erasures").select(columns).orderBy("erased_at").execute();
}

/**
 * Erases people whom a restored backup brought back, and returns how many. Anyone who joined again after their erasure
 * stays. Only hashes are stored, so every address on the list is hashed: 8 µs each.
 */
export async function reapplyErasures(db: Database, actor: Actor, keys: Keys, erasures: Erasure[]): Promise<number> {
  for (const { hash, erasedAt } of erasures) {
    await sql`
      insert into erasures as kept (address_hash, erased_at) values (${hash}, ${erasedAt})
      on conflict (address_hash) do update set erased_at = greatest(kept.erased_at, excluded.erased_at)`.execute(db);
  }
  const recorded = new Map((await readErasures(db)).map(({ hash, erasedAt }) => [hash.toString("hex"), erasedAt]));

  const restored = new Map<EmailKey, { emailKey: EmailKey; erasedAt: Date }>();
  const everyone = sql<{ email_key: EmailKey; since: Date }>`
    select email_key, joined_at as since from sign_ups union all select email_key, caught_at from quarantine`;
  for await (const people of readInChunks(db, everyone)) {
    for (const { email_key, since } of people) {
      const erasedAt = recorded.get(addressHash(keys, email_key).toString("hex"));
      if (erasedAt && since < erasedAt) restored.set(email_key, { emailKey: email_key, erasedAt });
    }
  }
  return changeMany(db, { actor, action: "apply erasures" }, [[...restored.values()]], async (chunk, people) => {
    await eraseBefore(chunk, keys, people);
    return { count: people.length };
  });
}
