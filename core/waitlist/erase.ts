import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { retryTransient } from "#core/database/transaction.ts";
import { hmac, type Keys } from "#core/keys.ts";

export interface Erased {
  signUps: number;
  consents: number;
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
  return inRetriedTransaction(db, async (transaction) => {
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
  return inRetriedTransaction(db, (transaction) => eraseOlder(transaction, emailKey, sql`${erasedAt}::timestamptz`));
}

export async function recordErasure(db: Kysely<Tables>, hash: Buffer, erasedAt: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into erasures as kept (address_hash, erased_at) values (${hash}, ${erasedAt})
    on conflict (address_hash) do update set erased_at = greatest(kept.erased_at, excluded.erased_at)`.execute(db);
}

/** High, because sign-ups keep locking the same companies, and an erasure must not fail. */
const MAX_ATTEMPTS = 100;

function inRetriedTransaction<Result>(db: Database, work: (transaction: Kysely<Tables>) => Promise<Result>) {
  return retryTransient(() => db.transaction().execute(work), MAX_ATTEMPTS);
}

async function eraseOlder(db: Kysely<Tables>, emailKey: string, cutoff: RawBuilder<unknown>): Promise<Erased> {
  // Quarantine first: this waits for a concurrent release, after which the person is on the list.
  const quarantined = await db
    .deleteFrom("quarantine")
    .where("email_key", "=", emailKey)
    .where(sql<boolean>`caught_at < ${cutoff}`)
    .executeTakeFirst();
  // Deliveries are deleted with it, by their foreign key.
  const gone = await db
    .deleteFrom("sign_ups")
    .where("email_key", "=", emailKey)
    .where(sql<boolean>`joined_at < ${cutoff}`)
    .returning(["id", "company_key"])
    .executeTakeFirst();
  let consents = 0n;
  if (gone) {
    consents = (await db.deleteFrom("consents").where("sign_up_id", "=", gone.id).executeTakeFirst()).numDeletedRows;
    const lastOfCompany = gone.company_key !== null && (await leaveCompany(db, gone.company_key));
    await sql`
      update totals set users = users - 1, companies = companies - ${lastOfCompany ? 1 : 0}
      where slot = totals_slot()`.execute(db);
  }
  return {
    signUps: gone ? 1 : 0,
    consents: Number(consents),
    quarantined: Number(quarantined.numDeletedRows),
  };
}

/** Returns whether the last member left. Locks the row before reading it, so that nobody can join in between. */
async function leaveCompany(db: Kysely<Tables>, key: string): Promise<boolean> {
  const company = await db
    .selectFrom("companies")
    .select("sign_ups")
    .where("key", "=", key)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (company.sign_ups === 1) {
    await db.deleteFrom("companies").where("key", "=", key).execute();
    return true;
  }
  await db
    .updateTable("companies")
    .set(({ eb }) => ({ sign_ups: eb("sign_ups", "-", 1) }))
    .where("key", "=", key)
    .execute();
  return false;
}
