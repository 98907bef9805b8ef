import { type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import { type ErasureKeys, hmac } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import type { EmailKey, Tables } from "#core/database/tables.ts";
import { type Chunk, onePerson, retryTransaction } from "#core/database/transaction.ts";
import { subjectOf } from "#core/links/invitation-tokens.ts";
import { deleteMailboxes } from "#core/mail/queue/mailboxes.ts";
import { deleteSignUps, type Gone, uncount } from "./delete-sign-ups.ts";

/** Identifies an erased person only to someone who has both the key and the address. */
export function addressHash({ erasures }: ErasureKeys, emailKey: string): Buffer {
  return hmac(erasures, "erasure", emailKey);
}

/**
 * Deletes a person everywhere, and records the hash and the time, so that the erasure can be reapplied after a backup
 * is restored. Totals and company counts stay exact while others join.
 */
export async function erase(
  db: Database,
  /** Null for people who leave the list themselves. */
  actor: Actor | null,
  emailKey: EmailKey,
  keys: ErasureKeys,
) {
  const erased = await retryTransaction(db, async (transaction) => {
    const known = transaction.selectFrom("sign_ups").select("id").where("email_key", "=", emailKey);
    const person = actor && (await known.executeTakeFirst())?.id;
    const quarantined = await dropQuarantined(transaction, emailKey);
    // The function has the owner's rights, because a server may neither delete people nor change the consent ledger.
    const { rows } = await sql<Omit<Gone, "email_key"> & { entries: number }>`
      select company as company_key, entries, set_aside as set_aside_at
      from erase_person(${emailKey}, ${addressHash(keys, emailKey)}, ${subjectOf(keys, emailKey)})`.execute(
      transaction,
    );
    const [gone] = rows;
    if (gone) await uncount(onePerson(transaction), [{ ...gone, email_key: emailKey }]);
    else await deleteMailboxes(onePerson(transaction), [emailKey]);
    if (actor && (gone || quarantined > 0)) {
      await recordActivity(transaction, actor, { action: "erase", person: person ?? undefined });
    }
    return { signUps: gone ? 1 : 0, consents: gone?.entries ?? 0, quarantined };
  });
  // Too slow for members' own requests; for those, the nightly purge calls it.
  if (actor) await sql`select forget_erased()`.execute(db);
  return erased;
}

export type Erased = Awaited<ReturnType<typeof erase>>;

/** Reapplies erasures. Newer rows are from a new sign-up, and stay. */
export async function eraseBefore(chunk: Chunk, keys: ErasureKeys, erasures: { emailKey: EmailKey; erasedAt: Date }[]) {
  const erased = sql`json_to_recordset(${JSON.stringify(erasures)}) as erased ("emailKey" text, "erasedAt" timestamptz)`;
  await sql`
    delete from quarantine using ${erased} where email_key = "emailKey" and caught_at < "erasedAt"`.execute(chunk);
  const { rows } = await sql<{ id: string }>`
    select id from sign_ups join ${erased} on email_key = "emailKey" and joined_at < "erasedAt"
    order by id for update of sign_ups`.execute(chunk);
  const ids = rows.map(({ id }) => id);
  await deleteSignUps(chunk, ids, keys);
}

/** Call this before deleting from the list, because it waits for a concurrent release, which adds to the list. */
async function dropQuarantined(db: Kysely<Tables>, emailKey: EmailKey) {
  const { numAffectedRows } = await sql`delete from quarantine where email_key = ${emailKey}`.execute(db);
  return Number(numAffectedRows);
}
