import { type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import { domainOf, mailboxOf } from "#core/people/address.ts";
import { countIn, isListed } from "#core/people/states.ts";
import { lastMidnight, recordSuccess } from "#core/service/maintenance.ts";

export const MAX_FRIENDS = 4;

/** Takes 40 ms on two busy cores, so nobody waits noticeably for a row that is being updated. */
const CHUNK_SIZE = 1000;

/** So many friends have more than four mailboxes, and counting millions would exceed the statement's timeout. */
const MAX_READ = 10_000;

/** A member's friends at the last midnight and the one before: one per mailbox, and never the member's own. */
const counts = sql`
  select least(count(distinct mailbox), ${MAX_FRIENDS}) as now,
    least(count(distinct mailbox) filter (where confirmed_at < ${lastMidnight} - interval '24 hours'), ${MAX_FRIENDS}) as before
  from (
    select ${mailboxOf()} as mailbox, confirmed_at from sign_ups
    where friend_of = member.id and ${isListed} and confirmed_at < ${lastMidnight} limit ${MAX_READ}
  ) as friend
  where mailbox <> ${mailboxOf(sql`member.email_key`)}`;

/**
 * Counts everyone's friends as of the last midnight UTC, once a day, whichever worker calls it first. Anyone may sign up
 * a stranger through their own link, and a live count would show when that person confirms or leaves.
 */
export async function countFriends(db: Database, stopping?: AbortSignal): Promise<void> {
  for (let last: string | undefined = "0"; last !== undefined && !stopping?.aborted; ) {
    const after: string = last;
    last = await db.transaction().execute((transaction) => countChunk(transaction, after));
  }
}

/** Returns the last member counted, or undefined if all are, or another worker is counting them. */
async function countChunk(transaction: Kysely<Tables>, after: string): Promise<string | undefined> {
  const { rows: due } = await sql`
    select where pg_try_advisory_xact_lock(hashtext('count friends'))
      and not exists (select from maintenance_runs where task = 'friends' and succeeded_at >= ${lastMidnight})`.execute(
    transaction,
  );
  if (due.length === 0) return undefined;
  const chunk = await sql<{ last: string | null }>`
    with counted as materialized (
      select member.id, counts.*
      from (select id, email_key from sign_ups where id > ${after} order by id limit ${CHUNK_SIZE}) as member,
        lateral (${counts}) as counts
    ), changed as (
      update sign_ups set friends = now, friends_gained = now - before from counted
      where sign_ups.id = counted.id and friends is not null and (friends, friends_gained) <> (now, now - before)
    )
    select max(id) as last from counted`.execute(transaction);
  const { last } = onlyRow(chunk);
  if (last === null) await recordSuccess(transaction, "friends");
  return last ?? undefined;
}

/** Stops counting someone's friends at once, or counts them again from the next midnight. Returns whether it changed. */
export function voidFriends(db: Database, actor: Actor, id: string, isVoid: boolean): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await sql`
      update sign_ups set friends = ${isVoid ? null : 0}, friends_gained = 0
      where id = ${id} and (friends is not null) = ${isVoid}`.execute(transaction);
    if (numAffectedRows !== 1n) return false;
    await recordActivity(transaction, actor, { action: isVoid ? "void friends" : "restore friends", person: id });
    return true;
  });
}

/** The largest domains of the people who joined through someone's link. */
export async function readFriendDomains(db: Database, id: string) {
  const { rows } = await sql<{ domain: string; joined: number; confirmed: number }>`
    select ${domainOf()} as domain, count(*)::integer as joined, ${countIn("confirmed")} as confirmed
    from sign_ups where friend_of = ${id} and ${isListed} group by 1 order by 2 desc, 1 limit 5`.execute(db);
  return rows;
}
