import { type Kysely, type RawBuilder, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity.ts";
import { hmac, type Keys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { deleteMailboxes } from "#core/mail/mailboxes.ts";
import { changeCounts } from "#core/sign-ups/company-counts.ts";
import { uncount } from "./delete-sign-ups.ts";

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
export function erase(
  db: Database,
  /** Null for people who leave the list themselves. */
  actor: Actor | null,
  emailKey: string,
  hash: Buffer,
): Promise<Erased> {
  return changeCounts(db, async (transaction) => {
    const known = transaction.selectFrom("sign_ups").select("id").where("email_key", "=", emailKey);
    const person = actor && (await known.executeTakeFirst())?.id;
    const erased = await eraseOlder(transaction, emailKey, sql`'infinity'`, hash);
    const isErased = erased.signUps + erased.quarantined > 0;
    if (actor && isErased) await recordActivity(transaction, actor, { action: "erase", person: person ?? undefined });
    return erased;
  });
}

/** Reapplies an erasure, in a transaction of `changeCounts`. Rows newer than it are from a new sign-up, and stay. */
export function eraseBefore(transaction: Kysely<Tables>, emailKey: string, erasedAt: Date): Promise<Erased> {
  return eraseOlder(transaction, emailKey, sql`${erasedAt}::timestamptz`, null);
}

async function eraseOlder(
  db: Kysely<Tables>,
  emailKey: string,
  cutoff: RawBuilder<unknown>,
  /** The hash to record; null if the erasure has been recorded already. */
  hash: Buffer | null,
): Promise<Erased> {
  // Quarantine first: this waits for a concurrent release, after which the person is on the list.
  const quarantined = await db
    .deleteFrom("quarantine")
    .where("email_key", "=", emailKey)
    .where(sql<boolean>`caught_at < ${cutoff}`)
    .executeTakeFirst();
  // A function of the tables' owner, because a server may neither delete people nor change the consent ledger.
  const { rows } = await sql<{ company: string | null; entries: number }>`
    select company, entries from erase_person(${emailKey}, ${cutoff}, ${hash})`.execute(db);
  const [gone] = rows;
  if (gone) {
    await uncount(db, [gone.company]);
    await deleteMailboxes(db, [emailKey]);
  }
  return {
    signUps: gone ? 1 : 0,
    consents: gone?.entries ?? 0,
    quarantined: Number(quarantined.numDeletedRows),
  };
}
