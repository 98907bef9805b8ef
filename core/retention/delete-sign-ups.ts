import { type Kysely, sql } from "kysely";
import type { ErasureKeys } from "#core/config/keys.ts";
import type { Tables } from "#core/database/tables.ts";
import { subjectOf } from "#core/invitations/invitation-tokens.ts";
import { deleteMailboxes } from "#core/mail/mailboxes.ts";
import { recountFriends } from "#core/members/friends.ts";
import { leaveCompanies } from "#core/sign-ups/company-counts.ts";

/**
 * Deletes these sign-ups with everything stored about them, in the caller's transaction, and returns how many. Totals
 * and company counts stay exact while others join, because companies are locked before they are counted, in the order
 * in which sign-ups lock them. With keys, webhooks learn about it.
 */
export async function deleteSignUps(transaction: Kysely<Tables>, ids: string[], keys?: ErasureKeys): Promise<number> {
  const { rows: gone } = await sql<{
    company_key: string | null;
    email_key: string;
    sharer: string | null;
    confirmed_at: Date | null;
  }>`
    delete from sign_ups where id = any(${ids}::bigint[])
    returning company_key, email_key, friend_of as sharer, confirmed_at`.execute(transaction);
  if (gone.length === 0) return 0;
  const sharers = gone.map(({ sharer }) => sharer);
  await recountFriends(transaction, sharers);
  await deleteMailboxes(
    transaction,
    gone.map(({ email_key }) => email_key),
  );
  await sql`delete from consents where sign_up_id = any(${ids}::bigint[])`.execute(transaction);
  const known = gone.flatMap(({ confirmed_at, email_key }) => (keys && confirmed_at ? subjectOf(keys, email_key) : []));
  await sql`insert into hook_events (type, sub) select 'person.erased', unnest(${known}::text[])`.execute(transaction);
  await uncount(
    transaction,
    gone.map(({ company_key }) => company_key),
  );
  return gone.length;
}

/** Subtracts deleted people, given one company key each, from the totals and company counts. */
export async function uncount(transaction: Kysely<Tables>, companyKeys: (string | null)[]): Promise<void> {
  const companies = await leaveCompanies(
    transaction,
    companyKeys.filter((key) => key !== null),
  );
  await sql`
    update totals set users = users - ${companyKeys.length}, companies = companies - ${companies}
    where slot = totals_slot()`.execute(transaction);
}
