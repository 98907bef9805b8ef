import { sql } from "kysely";
import type { ErasureKeys } from "#core/config/keys.ts";
import type { EmailKey } from "#core/database/tables.ts";
import type { Chunk } from "#core/database/transaction.ts";
import { subjectOf } from "#core/links/invitation-tokens.ts";
import { deleteMailboxes } from "#core/mail/queue/mailboxes.ts";
import { subtractFromTotals } from "#core/people/company-counts.ts";

/**
 * Deletes these sign-ups with everything stored about them, in the caller's transaction, and returns how many. Totals
 * and company counts stay exact while others join, because companies are locked before they are counted, in the order
 * in which sign-ups lock them. With keys, webhooks learn about it.
 */
export async function deleteSignUps(chunk: Chunk, ids: string[], keys?: ErasureKeys): Promise<number> {
  const { rows: gone } = await sql<Gone & { confirmed_at: Date | null }>`
    delete from sign_ups where id = any(${ids}::bigint[])
    returning company_key, email_key, set_aside_at, confirmed_at`.execute(chunk);
  if (gone.length === 0) return 0;
  await sql`delete from consents where sign_up_id = any(${ids}::bigint[])`.execute(chunk);
  const known = gone.flatMap(({ confirmed_at, email_key }) => (keys && confirmed_at ? subjectOf(keys, email_key) : []));
  await sql`insert into webhook_events (type, sub) select 'person.erased', unnest(${known}::text[])`.execute(chunk);
  await uncount(chunk, gone);
  return gone.length;
}

export interface Gone {
  company_key: string | null;
  email_key: EmailKey;
  /** Set for people who weren't counted any more. */
  set_aside_at: Date | null;
}

/** Subtracts deleted people from company counts and totals, and deletes their mailboxes. */
export async function uncount(chunk: Chunk, gone: Gone[]): Promise<void> {
  const emailKeys = gone.map(({ email_key }) => email_key);
  await deleteMailboxes(chunk, emailKeys);
  await subtractFromTotals(
    chunk,
    gone.filter(({ set_aside_at }) => !set_aside_at),
  );
}
