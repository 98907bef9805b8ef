import { sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import { changeMany } from "#core/activity/change-many.ts";
import { peoplePages } from "#core/activity/people-pages.ts";
import type { Database } from "#core/database/connect.ts";
import type { Chunk } from "#core/database/transaction.ts";
import { domainOf, mailboxOf } from "#core/people/address.ts";
import { countIn, isListed } from "#core/people/states.ts";
import { lastMidnight, recordSuccess } from "#core/service/maintenance.ts";

export const MAX_FRIENDS = 4;

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
  let isOver = false;
  async function* everyone() {
    for await (const page of peoplePages(db, sql`true`)) {
      isOver ||= stopping?.aborted ?? false;
      if (isOver) return;
      yield page;
    }
  }
  const count = async (chunk: Chunk, ids: string[]) => (isOver ? { count: 0, isOver } : countChunk(chunk, ids));
  await changeMany(db, undefined, everyone(), count, (done) => {
    isOver = done.isOver;
  });
  if (!isOver) await recordSuccess(db, "friends");
}

/** The count is over once it is done, or if another worker is counting. */
async function countChunk(chunk: Chunk, ids: string[]) {
  const { rows: due } = await sql`
    select where pg_try_advisory_xact_lock(hashtext('count friends'))
      and not exists (select from maintenance_runs where task = 'friends' and succeeded_at >= ${lastMidnight})`.execute(
    chunk,
  );
  if (due.length === 0) return { count: 0, isOver: true };
  const counted = await sql`
    update sign_ups set friends = now, friends_gained = now - before
    from (
      select member.id, counts.*
      from (select id, email_key from sign_ups where id = any(${ids}::bigint[])) as member, lateral (${counts}) as counts
    ) as counted
    where sign_ups.id = counted.id and friends is not null and (friends, friends_gained) <> (now, now - before)`.execute(
    chunk,
  );
  return { count: Number(counted.numAffectedRows), isOver: false };
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
