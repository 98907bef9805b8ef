import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { hmac, type Keys } from "#core/keys.ts";
import { type DeletedSignUps, deletePeople, deleteSignUps } from "./delete-sign-ups.ts";

export interface Erased extends DeletedSignUps {
  quarantined: number;
}

/** Identifies an erased person only to someone who has both the key and the address. */
export function addressHash({ erasures }: Keys, emailKey: string): Buffer {
  return hmac(erasures, "erasure", emailKey);
}

/**
 * Deletes a person everywhere, and records the hash and the time, so that the erasure can be reapplied after a backup
 * is restored. Totals and company counts stay exact while others join.
 */
export function erase(db: Database, emailKey: string, hash: Buffer): Promise<Erased> {
  return deletePeople(db, async (transaction) => {
    const erased = await eraseOlder(transaction, emailKey, sql`'infinity'`);
    // Not now(), which is when the transaction started: the sign-up may be newer. Rounded up to the next millisecond, because
    // reapplying compares timestamps in milliseconds.
    await recordErasure(
      transaction,
      hash,
      sql`date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond'`,
    );
    return erased;
  });
}

/** Reapplies an erasure. Rows newer than it are from a new sign-up, and stay. */
export function eraseBefore(db: Database, emailKey: string, erasedAt: Date): Promise<Erased> {
  return deletePeople(db, (transaction) => eraseOlder(transaction, emailKey, sql`${erasedAt}::timestamptz`));
}

export async function recordErasure(db: Kysely<Tables>, hash: Buffer, erasedAt: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into erasures as kept (address_hash, erased_at) values (${hash}, ${erasedAt})
    on conflict (address_hash) do update set erased_at = greatest(kept.erased_at, excluded.erased_at)`.execute(db);
}

async function eraseOlder(db: Kysely<Tables>, emailKey: string, cutoff: RawBuilder<unknown>): Promise<Erased> {
  // Quarantine first: this waits for a concurrent release, after which the person is on the list.
  const quarantined = await db
    .deleteFrom("quarantine")
    .where("email_key", "=", emailKey)
    .where(sql<boolean>`caught_at < ${cutoff}`)
    .executeTakeFirst();
  const person = await db
    .selectFrom("sign_ups")
    .select("id")
    .where("email_key", "=", emailKey)
    .where(sql<boolean>`joined_at < ${cutoff}`)
    .forUpdate()
    .executeTakeFirst();
  const deleted = await deleteSignUps(db, person ? [person.id] : []);
  return { ...deleted, quarantined: Number(quarantined.numDeletedRows) };
}
