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

/** Who someone was, for those who know the key and the address, and for nobody else. */
export function addressHash({ erasures }: Keys, emailKey: string): Buffer {
  return hmac(erasures, "erasure", emailKey);
}

/**
 * Removes a person everywhere, and keeps the hash with the time, so that it can be done again after a backup was
 * restored. Totals and companies stay exact, however many join meanwhile.
 */
export function erase(db: Database, emailKey: string, hash: Buffer): Promise<Erased> {
  return inTransaction(db, async (transaction) => {
    const erased = await eraseOlder(transaction, emailKey, sql`'infinity'`);
    // Not now(), which is when the transaction began: the row may be younger. And a millisecond on, because that is how
    // exactly the time is compared when it is done again.
    await recordErasure(
      transaction,
      hash,
      sql`date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond'`,
    );
    return erased;
  });
}

/** The same once more, at its time: what is younger came anew, and stays. */
export function eraseBefore(db: Database, emailKey: string, erasedAt: Date): Promise<Erased> {
  return inTransaction(db, (transaction) => eraseOlder(transaction, emailKey, sql`${erasedAt}::timestamptz`));
}

export async function recordErasure(db: Kysely<Tables>, hash: Buffer, erasedAt: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into erasures as kept (address_hash, erased_at) values (${hash}, ${erasedAt})
    on conflict (address_hash) do update set erased_at = greatest(kept.erased_at, excluded.erased_at)`.execute(db);
}

/** Many, because sign-ups lock the same companies all the time, and an erasure must not be given up. */
const MAX_ATTEMPTS = 100;

function inTransaction<Result>(db: Database, work: (transaction: Kysely<Tables>) => Promise<Result>) {
  return retryTransient(() => db.transaction().execute(work), MAX_ATTEMPTS);
}

async function eraseOlder(db: Kysely<Tables>, emailKey: string, moment: RawBuilder<unknown>): Promise<Erased> {
  // The quarantine first: whoever is being released from it is on the list by the time it can be had.
  const quarantined = await db
    .deleteFrom("quarantine")
    .where("email_key", "=", emailKey)
    .where(sql<boolean>`caught_at < ${moment}`)
    .executeTakeFirst();
  const gone = await db
    .deleteFrom("sign_ups")
    .where("email_key", "=", emailKey)
    .where(sql<boolean>`joined_at < ${moment}`)
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

/** Answers whether the company is gone with its last member. Its row is held until then, so nobody can join unseen. */
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
